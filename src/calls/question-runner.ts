import DataLoader from 'dataloader';
import { type Answer, asReplay, unsentAnswer } from '../registry/answer/answer';
import { type Problem, problem } from '../registry/answer/problem';
import { type Call, type RegistryClient, type RequestScope, requireBearer } from '../registry/client/client';
import { inLookupSpan } from '../registry/client/tracing';
import { notPermitted } from '../registry/client/unsent-answers';
import { type AnyEndpoint, cacheKey, type Endpoint } from '../registry/endpoint/endpoint';
import { type AnswerStore, questionKey, type SharedAnswer, toShared } from './answers/answer-store';
import type { CallerWindow } from './answers/early-answers';
import { CallPart, type CallResult, type InFlightCall, type WaitingRequest } from './answers/in-flight-call';
import type { InFlightCalls } from './answers/in-flight-calls';
import { type CallLedger, type LedgerCall, type OpenEntry, withLedgerId } from './call-ledger';
import type { CallUnits } from './call-units';
import type { FieldPath } from './field-path';
import type { OutgoingQuestion, PendingQuestion } from './pending-question';
import type { ResponseDeadline } from './response-deadline';

/**
 * Runs the questions of a request or of a row. The methods are in the order of the steps: permission, deduplication, deadline,
 * replay, claim, budget, ledger, call. The client interprets the answer.
 */
export class QuestionRunner {
  /** Loads a promise of the answer, because DataLoader forgets keys whose load fails, and a failure must be shared, too. */
  private readonly answers = new DataLoader<PendingQuestion, Promise<Answer<unknown>>, string>(
    async (questions) => questions.map((question) => this.answerInSpan(question)),
    // Each question is sent as soon as its resolver has ended. The default waits for other work of the process first.
    { batch: false, cacheKeyFn: ({ key }) => key, batchScheduleFn: queueMicrotask },
  );
  /** Answers whose cost a field has reported, and how the next fields show them. */
  private readonly replays = new Map<Answer<unknown>, Answer<unknown> | null>();

  constructor(private readonly dependencies: RunnerDependencies) {}

  /** Permission. If this server holds the token, the caller's JWT must name the endpoint's scope. */
  checkAccess(endpoint: AnyEndpoint): Answer<never> | null {
    const { client, scope } = this.dependencies;
    const { bearer, permissions } = scope.caller;
    if (bearer === null || permissions === null || permissions.has(endpoint.scope)) return null;
    return notPermitted(client.address(endpoint), endpoint);
  }

  /** Deduplication. Fields that ask the same question share one answer. */
  fetch<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null,
  ): Promise<Answer<Payload>> {
    const refusal = this.checkAccess(endpoint);
    if (refusal !== null) {
      this.dependencies.units.recordRefusal(refusal, path);
      return Promise.resolve(refusal);
    }
    const answer: Promise<unknown> = this.answers.load(this.toPending(endpoint, question, path));
    return answer as Promise<Answer<Payload>>;
  }

  private answerInSpan(question: PendingQuestion): Promise<Answer<unknown>> {
    return inLookupSpan(this.dependencies.client.address(question.endpoint), () => this.answerInTime(question));
  }

  /** Deadline. A call that was sent continues after it, and its answer is kept. */
  private async answerInTime(question: PendingQuestion): Promise<Answer<unknown>> {
    const part = new CallPart();
    const result = this.findOrAsk(question, part);
    const { deadline } = this.dependencies;
    return deadline === null ? (await result).answer : deadline.wait(question, result, part);
  }

  /** Replay. Uses the answer of another asker that is sending the same question, or an answer that is kept. */
  private async findOrAsk(question: PendingQuestion, part: CallPart): Promise<CallResult> {
    const { calls, store, scope, waiting, window } = this.dependencies;
    requireBearer(scope.caller);
    const started = performance.now();
    const join = () => calls.join(question, waiting, part);
    for (let joined = join(); joined !== undefined; joined = join()) {
      const shared = await joined;
      if (shared !== null) return this.reuse(question, shared, started, part);
      if (!part.canPay) return this.refuse(question, problem('CALLER_GONE'));
    }
    const local = store.getLocal(question);
    if (local !== undefined) return this.reuse(question, toShared(local, null), started, part);
    const kept = window?.find(question);
    if (window !== null && kept !== undefined)
      return this.reuse(question, await window.latest(question, kept), started, part);
    // The call is registered before the first wait. Otherwise another asker would not find it, and would pay too.
    const call = calls.begin(question, waiting, part);
    try {
      call.result = this.ask(question, call, started);
      return await call.result;
    } finally {
      calls.end(question, waiting, call);
    }
  }

  /** Claim, then budget. The claim comes first because an answer that was paid for before uses no budget. */
  private async ask(question: PendingQuestion, call: InFlightCall, started: number): Promise<CallResult> {
    const { client, store, units } = this.dependencies;
    const claim = await store.claim(question, call);
    units.recordLost(client.address(question.endpoint), claim.lostUnits);
    if (claim.kind === 'answered') return this.reuse(question, claim, started, call.claimer);
    if (claim.kind === 'overBudget') return this.refuse(question, units.exceeded);
    if (claim.kind === 'abandoned') return this.refuse(question, problem('CALLER_GONE'));
    if (claim.kind === 'refused') return this.refuse(question, claim.problem);
    const claimed = claim.call;
    const { canPay } = call.claimer;
    if (!canPay || !units.reserve(question.price)) {
      claimed.release();
      return this.refuse(question, canPay ? units.exceeded : problem('CALLER_GONE'));
    }
    call.own(claimed);
    try {
      const result = await this.send(question, call);
      claimed.complete(result.answer);
      return result;
    } catch (error) {
      claimed.fail(error);
      throw error;
    }
  }

  /** Ledger, then call. The actual cost of the call replaces the reserved price. */
  async send(question: OutgoingQuestion, call: Call): Promise<CallResult> {
    const { client, scope, units, ledger } = this.dependencies;
    const { endpoint, price, path } = question;
    const address = client.address(endpoint);
    const started = performance.now();
    let entry: OpenEntry | Problem | null = null;
    try {
      entry = (await ledger?.open(this.toLedgerCall(question))) ?? null;
      if (entry !== null && 'code' in entry) {
        const unsent = unsentAnswer('NOT_RUN', address, [entry]);
        units.recordCall(price, unsent, performance.now() - started, path);
        return { answer: unsent, shared: null };
      }
      const received = await client.fetch<unknown, unknown>(endpoint, question.question, scope, question.input, call);
      entry?.close(received);
      const answer = withLedgerId(received, entry?.id ?? null);
      units.recordCall(price, answer, performance.now() - started, path);
      return { answer, shared: toShared(answer, units.payer) };
    } catch (error) {
      if (entry !== null && 'close' in entry) entry.close(null);
      units.recordUnauthenticated(price, address, performance.now() - started, path);
      throw error;
    }
  }

  /** Records an answer that was paid for before, unless the response was sent without it. Returns it as this asker sees it. */
  private reuse(question: PendingQuestion, shared: SharedAnswer, started: number, { hasLeft }: CallPart): CallResult {
    const { units, ledger } = this.dependencies;
    if (hasLeft) return { answer: shared.answer, shared };
    const answer = units.recordShared(question.price, shared, performance.now() - started, question.path);
    if (ledger === null || answer.evidence.servedFrom === 'NOT_SENT') return { answer, shared };
    return { answer: withLedgerId(answer, ledger.recordShared(this.toLedgerCall(question), answer)), shared };
  }

  refuse({ endpoint, path }: OutgoingQuestion, reason: Problem): CallResult {
    const { client, units } = this.dependencies;
    const answer = unsentAnswer('NOT_RUN', client.address(endpoint), [reason]);
    units.recordRefusal(answer, path);
    return { answer, shared: null };
  }

  attributeCost<Payload>(endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload> {
    const replay = this.replays.get(answer);
    if (replay === undefined) {
      this.replays.set(answer, null);
      return answer;
    }
    this.dependencies.units.recordSaving(this.priceOf(endpoint), answer);
    const shown = replay ?? asReplay(answer);
    if (replay === null) this.replays.set(answer, shown);
    return shown as Answer<Payload>;
  }

  toPending(endpoint: AnyEndpoint, question: unknown, path: FieldPath | null): PendingQuestion {
    const { scope, units, partition } = this.dependencies;
    const input = endpoint.toWire(question);
    const inputKey = cacheKey(endpoint, question, input);
    const key = questionKey(partition, endpoint, inputKey);
    const { operation } = units;
    const price = this.priceOf(endpoint);
    return { key, endpoint, question, input, cacheKey: inputKey, caller: scope.caller, price, operation, path };
  }

  private toLedgerCall({ endpoint, question, price }: OutgoingQuestion): LedgerCall {
    return { endpoint, address: this.dependencies.client.address(endpoint), question, price };
  }

  priceOf({ units }: AnyEndpoint): number {
    return this.dependencies.scope.caller.sandbox ? 0 : units;
  }
}

interface RunnerDependencies {
  readonly client: RegistryClient;
  readonly calls: InFlightCalls;
  readonly store: AnswerStore;
  readonly scope: RequestScope;
  readonly waiting: WaitingRequest;
  readonly units: CallUnits;
  readonly ledger: CallLedger | null;
  /** The time by which a request is answered. Null to wait for every answer. */
  readonly deadline: ResponseDeadline | null;
  /** Answers of the caller's early responses. Null for a row of a batch. */
  readonly window: CallerWindow | null;
  readonly partition: string;
}
