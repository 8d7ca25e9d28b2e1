import { type Answer, type Outcome, unsentAnswer } from '../registry/answer/answer';
import { type RegistryClient, type RequestScope, requireBearer } from '../registry/client/client';
import { inLookupSpan } from '../registry/client/tracing';
import type { AnyEndpoint, Endpoint } from '../registry/endpoint/endpoint';
import { accountPartition, type RequestAnswerStore } from './answers/answer-store';
import type { CallerWindow, EarlyAnswers } from './answers/early-answers';
import { WaitingRequest } from './answers/in-flight-call';
import type { InFlightCalls } from './answers/in-flight-calls';
import type { CallLedger } from './call-ledger';
import type { RegistryDataSource } from './data-source';
import type { FieldPath } from './field-path';
import type { OutgoingQuestion } from './pending-question';
import { QuestionRunner } from './question-runner';
import type { ResponseDeadline } from './response-deadline';
import type { UnitMeter } from './unit-meter';

/** Maximum answers that an estimate looks up. Each lookup may be a request to the store that instances share. */
const maxStoreLookups = 1_000;

export interface Replay {
  readonly store: RequestAnswerStore;
  readonly calls: InFlightCalls;
  readonly early: EarlyAnswers;
}

export class LiveDataSource implements RegistryDataSource {
  readonly isDryRun = false;
  readonly sandbox: boolean;
  private readonly runner: QuestionRunner;
  private storeLookups = 0;

  constructor(
    private readonly client: RegistryClient,
    private readonly replay: Replay,
    private readonly scope: RequestScope,
    readonly units: UnitMeter,
    private readonly window: CallerWindow = replay.early.of(null),
    ledger: CallLedger | null = null,
    deadline: ResponseDeadline | null = null,
  ) {
    const { store, calls } = replay;
    this.sandbox = scope.caller.sandbox;
    const waiting = new WaitingRequest(scope.signal);
    const partition = accountPartition(scope.caller);
    this.runner = new QuestionRunner({
      client,
      calls,
      store,
      scope,
      waiting,
      units,
      ledger,
      deadline,
      window,
      partition,
    });
  }

  address(endpoint: AnyEndpoint): string {
    return this.client.address(endpoint);
  }

  fetch<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    return this.runner.fetch(endpoint, question, path);
  }

  async findPaid<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
  ): Promise<Answer<Payload> | undefined> {
    if (this.runner.checkAccess(endpoint) !== null || this.scope.caller.bearer === null) return undefined;
    const { store, calls } = this.replay;
    const pending = this.runner.toPending(endpoint, question, null);
    let answer = store.getLocal(pending) ?? this.window.find(pending)?.answer;
    // The price of a running call is counted by the request that sent it.
    if (answer === undefined && calls.has(pending)) answer = unsentAnswer('NOT_RUN', this.address(endpoint), []);
    if (answer === undefined && this.storeLookups < maxStoreLookups) {
      this.storeLookups += 1;
      answer = await store.get(pending);
    }
    return answer as Answer<Payload> | undefined;
  }

  async fetchUncached<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    const refusal = this.runner.checkAccess(endpoint);
    if (refusal !== null) {
      this.units.recordRefusal(refusal);
      return refusal;
    }
    const price = this.runner.priceOf(endpoint);
    const unshared = { endpoint, question, input: endpoint.toWire(question), price, path };
    const answer: Answer<unknown> = await inLookupSpan(this.address(endpoint), () => this.sendUnshared(unshared));
    return answer as Answer<Payload>;
  }

  checkAccess(endpoint: AnyEndpoint): Answer<never> | null {
    requireBearer(this.scope.caller);
    const refusal = this.runner.checkAccess(endpoint);
    if (refusal !== null) this.units.recordRefusal(refusal);
    return refusal;
  }

  recordRejection(outcome: Outcome): void {
    this.units.recordRejection(outcome);
  }

  attributeCost<Payload>(endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload> {
    return this.runner.attributeCost(endpoint, answer);
  }

  private async sendUnshared(question: OutgoingQuestion): Promise<Answer<unknown>> {
    const { runner, replay, scope, units } = this;
    const { price } = question;
    const { operation } = units;
    if (!units.reserve(price)) return runner.refuse(question, units.exceeded).answer;
    if (operation !== null && !(await replay.store.reserve(scope.caller, operation, price))) {
      units.release(price);
      return runner.refuse(question, units.exceeded).answer;
    }
    let used = 0;
    try {
      const { answer } = await runner.send(question, scope);
      used = answer.evidence.billing === 'UNKNOWN' ? price : answer.evidence.units;
      return answer;
    } finally {
      if (operation !== null && used < price) await replay.store.reserve(scope.caller, operation, used - price);
    }
  }
}
