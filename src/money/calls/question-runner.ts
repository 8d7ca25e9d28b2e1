import DataLoader from 'dataloader';
import { type Answer, asReplay, unsentAnswer } from '../../registry/answer/answer';
import { type Problem, type ProblemCode, problem } from '../../registry/answer/problem';
import { requireBearer } from '../../registry/client/client';
import { inLookupSpan } from '../../registry/client/tracing';
import { notPermitted } from '../../registry/client/unsent-answers';
import { type AnyEndpoint, cacheKey, type Endpoint } from '../../registry/endpoint/endpoint';
import type { CallerWindow } from '../answers/early-answers';
import {
  Asker,
  type CallResult,
  type InFlightCall,
  type InFlightCalls,
  type WaitingRequest,
} from '../answers/in-flight-calls';
import { accountPartition, questionKey, type SharedAnswer, toShared } from '../answers/shared-answer';
import { withLedgerId } from '../units/unit-meter';
import type { OpenCall, OutgoingQuestion, PendingQuestion, SendableCall } from './call';
import type { FieldPath } from './data-source';
import { QuestionSender, type SenderDependencies } from './question-sender';
import type { ResponseDeadline } from './response-deadline';

/**
 * Runs the questions of a request or of a row. The methods are in the order of the steps: permission, once per request, response time,
 * replay. `QuestionSender` does the rest.
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
  /** Entries of the calls that paid, by the entries of the answers that were shared. */
  private readonly paidEntries = new Map<string, string>();

  private readonly sender: QuestionSender;

  constructor(private readonly dependencies: RunnerDependencies) {
    this.sender = new QuestionSender(dependencies);
  }

  /** Permission. If this server holds the token, the caller's JWT must name the endpoint's scope. */
  checkAccess(endpoint: AnyEndpoint): Answer<never> | null {
    const { client, scope } = this.dependencies;
    const { bearer, permissions } = scope.caller;
    const reason = scope.refuses?.(endpoint) ?? null;
    if (reason !== null) return unsentAnswer('NOT_PERMITTED', client.address(endpoint), [reason]);
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
    const asker = new Asker();
    const result = this.findOrAsk(question, asker);
    const { deadline } = this.dependencies;
    return deadline === null ? (await result).answer : deadline.wait(question, result, asker);
  }

  /** Replay. Uses the answer of another asker that is asking the same question, or an answer that is kept. */
  private async findOrAsk(question: PendingQuestion, asker: Asker): Promise<CallResult> {
    const { inFlight, memory, scope, waiting, window, payerCalls, units } = this.dependencies;
    const isLasting = units.lasting !== null;
    requireBearer(scope.caller);
    const started = performance.now();
    // An operation that has paid for the question shows its own answer.
    const own = isLasting && inFlight.has(question) ? await payerCalls.findKept(question) : undefined;
    if (own !== undefined) return this.reuse(question, own, started, asker);
    for (;;) {
      const joined = inFlight.join(question, waiting, asker);
      if (joined === undefined) break;
      const shared = await joined;
      if (shared !== null) return this.reuse(question, shared, started, asker);
      if (!asker.canPay) return this.refuse(question, problem('CALLER_GONE'));
    }
    const local = isLasting ? undefined : memory.get(question);
    if (local !== undefined) return this.reuse(question, toShared(local, null), started, asker);
    const kept = window?.find(question);
    if (window !== null && kept !== undefined)
      return this.reuse(question, await window.latest(question, kept), started, asker);
    // The call is registered before the first wait. Otherwise another asker would not find it, and would pay too.
    const call = inFlight.begin(question, waiting, asker);
    try {
      call.result = this.ask(question, call, started);
      return await call.result;
    } finally {
      inFlight.end(question, waiting, call);
    }
  }

  private async ask(question: PendingQuestion, call: InFlightCall, started: number): Promise<CallResult> {
    const reply = await this.sender.ask(question, question, call);
    if (reply.kind === 'answered') return this.reuse(question, reply, started, call.first);
    if (reply.kind === 'refused') return this.refuse(question, reply.problem);
    return { answer: reply.answer, shared: toShared(reply.answer, this.dependencies.units.lasting?.payer ?? null) };
  }

  async sendUnshared(question: OutgoingQuestion): Promise<Answer<unknown>> {
    const reply = await this.sender.ask(question, null, new UnsharedCall(this.dependencies.scope.signal));
    return reply.kind === 'refused' ? this.refuse(question, reply.problem).answer : reply.answer;
  }

  /** Records an answer that was paid for before, unless the response was sent without it. Returns it as this asker sees it. */
  private reuse(question: PendingQuestion, shared: SharedAnswer, started: number, { hasLeft }: Asker): CallResult {
    const { units, payerCalls } = this.dependencies;
    if (hasLeft) return { answer: shared.answer, shared };
    const answer = units.recordShared(question.price, shared, performance.now() - started, question.path);
    if (answer.evidence.servedFrom === 'NOT_SENT') return { answer, shared };
    const paid = answer.evidence.ledgerId;
    const entry = payerCalls.recordShared(question, answer);
    if (entry !== null && paid !== null) this.paidEntries.set(entry, paid);
    return { answer: withLedgerId(answer, entry), shared };
  }

  /** Records a problem that this asker found in an answer, at the entry that it sees and at that of the call that paid. */
  recordProblem(endpoint: AnyEndpoint, question: unknown, { evidence }: Answer<unknown>, code: ProblemCode): void {
    if (evidence.ledgerId === null) return;
    const entries = new Set([evidence.ledgerId, this.paidEntries.get(evidence.ledgerId) ?? evidence.ledgerId]);
    for (const entry of entries)
      this.dependencies.payerCalls.link(this.toPending(endpoint, question, null), entry, code);
  }

  /** Records a call that was refused while the operation runs, whichever budget refused it. */
  private refuse({ endpoint, path }: OutgoingQuestion, reason: Problem): CallResult {
    const { client, units } = this.dependencies;
    const answer = unsentAnswer('NOT_RUN', client.address(endpoint), [reason]);
    units.recordRefusal(answer, path, true);
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
    const { scope, units } = this.dependencies;
    const input = endpoint.toWire(question);
    const inputKey = cacheKey(endpoint, question, input);
    const key = questionKey(accountPartition(scope.caller), endpoint, inputKey);
    const price = this.priceOf(endpoint);
    const lasting = units.lasting?.id ?? null;
    return { key, endpoint, question, input, cacheKey: inputKey, caller: scope.caller, price, lasting, path };
  }

  priceOf({ units }: AnyEndpoint): number {
    return this.dependencies.scope.caller.sandbox ? 0 : units;
  }
}

interface RunnerDependencies extends SenderDependencies {
  readonly inFlight: InFlightCalls;
  readonly waiting: WaitingRequest;
  /** The time by which a request is answered. Null to wait for every answer. */
  readonly deadline: ResponseDeadline | null;
  /** Answers of the caller's early responses. Null for a row of a batch. */
  readonly window: CallerWindow | null;
}

/** A call whose answer only its request gets. */
class UnsharedCall implements SendableCall {
  readonly canPay = true;
  readonly onElsewhere = (): void => undefined;
  private opened: OpenCall | null = null;

  constructor(readonly signal: AbortSignal) {}

  own(opened: OpenCall | null): void {
    this.opened = opened;
  }

  isHeld(): boolean {
    return this.opened?.isHeld() === true;
  }
}
