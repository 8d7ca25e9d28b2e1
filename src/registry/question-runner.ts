import { type Answer, notAsked } from './answer/answer';
import { type Problem, problem } from './answer/problem';
import type { CallLedger, LedgerCall } from './call-ledger';
import type { RegistryClient, RequestScope } from './client/client';
import type { AnyEndpoint, Endpoint } from './endpoint/endpoint';
import { enterCall, enterShared, isLedgerRefusal } from './ledgered-call';
import type { Query } from './query';
import type { Claim, Flight, StoredQuestion } from './replay/answer-store';
import { type InFlightCall, WaitingRequest } from './replay/in-flight-call';
import { asReplay, type ReplayCache } from './replay/replay-cache';
import type { FieldPath, UnitMeter } from './unit-meter';

/** Answers that a price is estimated with: each may be a way to the store that instances share. */
const maxStoreLookups = 1_000;

/** The way of one request's questions: what was just answered is shown again, the rest is put within the budget and booked. */
export class QuestionRunner {
  private readonly cachePartition: string;
  private readonly waiting: WaitingRequest;
  private storeLookups = 0;

  constructor(
    private readonly client: RegistryClient,
    private readonly replay: ReplayCache,
    private readonly scope: RequestScope,
    private readonly units: UnitMeter,
    private readonly ledger: CallLedger | null,
  ) {
    const { account, sandbox } = scope.caller;
    this.waiting = new WaitingRequest(scope.signal);
    this.cachePartition = `${account} ${sandbox ? 'sandbox' : 'live'}`;
  }

  /** A distinct question of the request: replay, or a call that others share. */
  async fetch(endpoint: AnyEndpoint, query: Query): Promise<Answer<unknown>> {
    const { client, replay, scope, waiting } = this;
    if (scope.caller.bearer === null) return client.fetch(endpoint, query.question, scope);
    const stored = this.toStoredQuestion(endpoint, query);
    const started = performance.now();
    for (let shared = replay.get(stored, waiting); shared !== undefined; shared = replay.get(stored, waiting)) {
      const answer = await shared;
      if (answer !== null) return this.asReplay(endpoint, query, answer, performance.now() - started);
    }
    const claimed = performance.now();
    // From here nothing may wait before the call is registered: another request would not find it, and pay for one of its own.
    let own: Answer<unknown> | null = null;
    const answer = await replay.run(stored, waiting, async (call) => {
      const claim = await replay.store.claim(stored, call);
      if (claim.kind === 'owned') {
        const asked = await this.ask(stored, query, claim.flight, call, claimed);
        if (asked !== null && isLedgerRefusal(asked)) own = asked;
        return own === null ? asked : null;
      }
      // Whatever becomes of the question: nobody else will say so.
      this.units.recordLost(this.client.address(endpoint), claim.lostUnits);
      if (claim.kind === 'answered') {
        own = this.asReplay(endpoint, query, claim.answer, performance.now() - started);
        return claim.answer;
      }
      own = this.toRefusal(endpoint, claim);
      return null;
    });
    return own ?? answer ?? this.overBudget(endpoint);
  }

  /** An answer that would be shown again, without asking for it. */
  findPaid(endpoint: AnyEndpoint, query: Query): Answer<unknown> | undefined | Promise<Answer<unknown> | undefined> {
    const stored = this.toStoredQuestion(endpoint, query);
    const recalled = this.replay.store.recall(stored);
    if (recalled !== undefined || this.storeLookups >= maxStoreLookups) return recalled;
    this.storeLookups += 1;
    return this.replay.store.find(stored);
  }

  /** Puts a question that is this request's to put, within its budget. Null where that does not suffice: others have their own. */
  private async ask(
    { endpoint, price }: StoredQuestion,
    { question, input, path }: Query,
    flight: Flight,
    call: InFlightCall,
    claimed: number,
  ): Promise<Answer<unknown> | null> {
    const { client, scope, units } = this;
    units.recordLost(client.address(endpoint), flight.lostUnits);
    if (!units.reserve(price)) {
      flight.abandon();
      return null;
    }
    call.onExchange = flight.onExchange;
    call.waitedMs = performance.now() - claimed;
    let answer: Answer<unknown> | null = null;
    try {
      const put = () => client.fetch(endpoint, question, scope, input, call);
      answer = await this.settle(endpoint, path, () => this.enter(endpoint, question, put));
    } finally {
      flight.land(answer);
    }
    return answer;
  }

  /** A question that nobody shares: asked each time. */
  async fetchUncached<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null,
  ): Promise<Answer<Payload>> {
    const { client, replay, scope, units } = this;
    const price = this.priceOf(endpoint);
    if (!units.reserve(price)) return this.overBudget(endpoint);
    const { operation } = units;
    if (operation !== null && !(await replay.store.reserve(scope.caller, operation, price))) {
      units.release(price);
      return this.overBudget(endpoint);
    }
    let used = 0;
    const put = () => client.fetch(endpoint, question, scope);
    try {
      const answer = await this.settle(endpoint, path, () => this.enter(endpoint, question, put));
      used = answer.evidence.billing === 'UNKNOWN' ? price : answer.evidence.units;
      return answer;
    } finally {
      if (operation !== null && used < price) await replay.store.reserve(scope.caller, operation, used - price);
    }
  }

  private toRefusal(endpoint: AnyEndpoint, claim: Exclude<Claim, { kind: 'owned' | 'answered' }>): Answer<unknown> {
    if (claim.kind === 'overBudget') return this.overBudget(endpoint);
    return this.refuse(endpoint, claim.kind === 'refused' ? claim.problem : problem('CALLER_GONE'));
  }

  private toStoredQuestion(endpoint: AnyEndpoint, { question, cacheKey }: Query): StoredQuestion {
    return {
      key: `${this.cachePartition} ${endpoint.name} ${cacheKey}`,
      endpoint,
      question,
      cacheKey,
      caller: this.scope.caller,
      price: this.priceOf(endpoint),
      operation: this.units.operation,
    };
  }

  private asReplay(
    endpoint: AnyEndpoint,
    { question, path }: Query,
    original: Answer<unknown>,
    ms: number,
  ): Answer<unknown> {
    const answer = enterShared(this.ledger, this.ledgerCall(endpoint, question), asReplay(original));
    this.units.recordReplay(this.priceOf(endpoint), answer, ms, path);
    return answer;
  }

  /** Books what a call for which units were reserved has really cost. */
  private async settle<Payload>(
    endpoint: AnyEndpoint,
    path: FieldPath | null,
    put: () => Promise<Answer<Payload>>,
  ): Promise<Answer<Payload>> {
    const price = this.priceOf(endpoint);
    const started = performance.now();
    let answer: Answer<Payload>;
    try {
      answer = await put();
    } catch (error) {
      this.units.recordUnauthenticated(price, this.client.address(endpoint), performance.now() - started, path);
      throw error;
    }
    this.units.settle(price, answer, performance.now() - started, path);
    return answer;
  }

  private overBudget(endpoint: AnyEndpoint): Answer<never> {
    return this.refuse(endpoint, problem('UNIT_BUDGET_EXCEEDED'));
  }

  private refuse(endpoint: AnyEndpoint, reason: Problem): Answer<never> {
    this.units.recordRejection('NOT_RUN');
    return notAsked('NOT_RUN', this.client.address(endpoint), [reason]);
  }

  private enter<Payload>(endpoint: AnyEndpoint, question: unknown, put: () => Promise<Answer<Payload>>) {
    return enterCall(this.ledger, this.ledgerCall(endpoint, question), put);
  }

  private ledgerCall(endpoint: AnyEndpoint, question: unknown): LedgerCall {
    return { endpoint, address: this.client.address(endpoint), question, price: this.priceOf(endpoint) };
  }

  private priceOf(endpoint: AnyEndpoint): number {
    return this.scope.caller.sandbox ? 0 : endpoint.units;
  }
}
