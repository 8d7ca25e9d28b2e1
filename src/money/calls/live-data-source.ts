import DataLoader from 'dataloader';
import { type Answer, ageOf, asReplay, notPermitted, type Outcome, unsentAnswer } from '../../registry/answer/answer';
import { type Problem, problem } from '../../registry/answer/problem';
import type { Availability } from '../../registry/client/availability';
import { type RegistryClient, type RequestScope, requireBearer } from '../../registry/client/client';
import { inLookupSpan } from '../../registry/client/tracing';
import { type AnyEndpoint, cacheKey, type Endpoint } from '../../registry/endpoint/endpoint';
import type { CallerWindow } from '../answers/early-answers';
import { Asker, type CallResult, type InFlightCall, WaitingRequest } from '../answers/in-flight-calls';
import { questionKey, reused, type SharedAnswer, toShared } from '../answers/shared-answer';
import { isPart } from '../operations/lasting-operations';
import { type UnitMeter, withLedgerId } from '../units/unit-meter';
import type { CallOrigin, OutgoingQuestion, PayerCalls, PendingQuestion } from './call';
import type { Calls } from './calls';
import type { FieldPath, RegistryDataSource } from './data-source';
import { QuestionSender, UnsharedCall } from './question-sender';
import type { ResponseDeadline } from './response-deadline';

/** Maximum answers that an estimate looks up. Each lookup may be a statement of the store that processes share. */
const maxStoreLookups = 1_000;

/**
 * Asks the questions of a request or of a row. A question passes these steps: permission, once per request, response time, replay.
 * `QuestionSender` does the rest.
 */
export class LiveDataSource implements RegistryDataSource {
  readonly isDryRun = false;
  readonly sandbox: boolean;
  readonly payerCalls: PayerCalls;
  private readonly client: RegistryClient;
  private readonly waiting: WaitingRequest;
  private readonly sender: QuestionSender;
  /** Answers of the caller's early responses. Null for a row, which sends no response early. */
  private readonly window: CallerWindow | null;
  private storeLookups = 0;
  /** Loads a promise of the answer, because DataLoader forgets keys whose load fails, and a failure must be shared, too. */
  private readonly answers = new DataLoader<PendingQuestion, Promise<Answer<unknown>>, string>(
    async (questions) => questions.map((question) => this.answerInSpan(question)),
    // Each question is sent as soon as its resolver has ended. The default waits for other work of the process first.
    { batch: false, cacheKeyFn: ({ key }) => key, batchScheduleFn: queueMicrotask },
  );
  /** Answers whose cost a field has reported, and how the next fields show them. */
  private readonly replays = new Map<Answer<unknown>, Answer<unknown> | null>();
  /** Entries of the calls that paid, by the entries of the answers that were shared, and the other way round. */
  private readonly paidEntries = new Map<string, string>();

  /** `deadline` is the time by which the request is answered. Null to wait for every answer. */
  constructor(
    private readonly calls: Calls,
    private readonly scope: RequestScope,
    readonly units: UnitMeter,
    private readonly origin: CallOrigin,
    private readonly deadline: ResponseDeadline | null = null,
    lastingNames: readonly string[] = [],
  ) {
    const { early, memory } = calls;
    const { client, timeoutMs } = calls.options;
    this.client = client;
    this.sandbox = scope.caller.sandbox;
    this.window = isPart(units.lasting) ? null : early.of(scope.caller, origin.holder);
    this.payerCalls = calls.of({ caller: scope.caller, origin, units, lastingNames });
    this.waiting = new WaitingRequest(scope.signal);
    this.sender = new QuestionSender({ client, memory, payerCalls: this.payerCalls, scope, units, timeoutMs });
  }

  /** Permission. If this server holds the token, the caller's JWT must name the endpoint's scope. */
  findRefusal(endpoint: AnyEndpoint): Answer<never> | null {
    const { bearer, permissions } = this.scope.caller;
    const reason = this.scope.refuses?.(endpoint) ?? null;
    if (reason !== null) return unsentAnswer('NOT_PERMITTED', this.address(endpoint), [reason]);
    if (bearer === null || permissions === null || permissions.has(endpoint.scope)) return null;
    return notPermitted(this.address(endpoint), endpoint);
  }

  /** Deduplication. Fields that ask the same question share one answer. */
  fetch<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    this.units.observer?.recordQuestion?.(endpoint, question);
    const refusal = this.findRefusal(endpoint);
    if (refusal !== null) {
      this.units.recordRefusal(refusal, path);
      return Promise.resolve(refusal);
    }
    const answer: Promise<unknown> = this.answers.load(this.toPending(endpoint, question, path));
    return answer as Promise<Answer<Payload>>;
  }

  private answerInSpan(question: PendingQuestion): Promise<Answer<unknown>> {
    return inLookupSpan(this.address(question.endpoint), () => this.answerInTime(question));
  }

  /** Deadline. A call that was sent continues after it, and its answer is kept. */
  private async answerInTime(question: PendingQuestion): Promise<Answer<unknown>> {
    const asker = new Asker();
    const result = this.findOrAsk(question, asker);
    const { deadline } = this;
    return deadline === null ? (await result).answer : deadline.wait(question, result, asker);
  }

  /** Replay. Uses the answer of another asker that is asking the same question, or an answer that is kept. */
  private async findOrAsk(question: PendingQuestion, asker: Asker): Promise<CallResult> {
    const { scope, waiting, window, payerCalls, units } = this;
    const { inFlight, memory } = this.calls;
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
    return { answer: reply.answer, shared: toShared(reply.answer, this.units.lasting?.payer ?? null) };
  }

  private async sendUnshared(question: OutgoingQuestion): Promise<Answer<unknown>> {
    const reply = await this.sender.ask(question, null, new UnsharedCall(this.scope.signal));
    return reply.kind === 'refused' ? this.refuse(question, reply.problem).answer : reply.answer;
  }

  /** Records an answer that was paid for before, unless the response was sent without it. Returns it as this asker sees it. */
  private reuse(question: PendingQuestion, shared: SharedAnswer, started: number, { hasLeft }: Asker): CallResult {
    const { units, payerCalls } = this;
    if (hasLeft) return { answer: shared.answer, shared };
    const age = ageOf(shared.answer.evidence.checkedAt, this.calls.options.now());
    const answer = units.recordShared(question.price, shared, age, performance.now() - started, question.path);
    if (answer.evidence.servedFrom === 'NOT_SENT') return { answer, shared };
    const paid = answer.evidence.ledgerId;
    const entry = payerCalls.recordShared(question, answer);
    if (entry !== null && paid !== null) this.paidEntries.set(entry, paid).set(paid, entry);
    // The answer of an earlier request is proved by its own entry.
    return { answer: shared.keptBy === reused ? answer : withLedgerId(answer, entry), shared };
  }

  /** Records a problem that this asker found in an answer, at the entry that it sees and at that of the call that paid. */
  recordProblem(endpoint: AnyEndpoint, question: unknown, { evidence }: Answer<unknown>, { code }: Problem): void {
    if (evidence.ledgerId === null) return;
    const entries = new Set([evidence.ledgerId, this.paidEntries.get(evidence.ledgerId) ?? evidence.ledgerId]);
    for (const entry of entries) this.payerCalls.link(this.toPending(endpoint, question, null), entry, code);
  }

  /** Records a call that was refused while the operation runs, whichever budget refused it. */
  private refuse({ endpoint, path }: OutgoingQuestion, reason: Problem): CallResult {
    const answer = unsentAnswer('NOT_RUN', this.address(endpoint), [reason]);
    this.units.recordRefusal(answer, path, true);
    return { answer, shared: null };
  }

  attributeCost<Payload>(endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload> {
    const replay = this.replays.get(answer);
    if (replay === undefined) {
      this.replays.set(answer, null);
      return answer;
    }
    this.units.recordSaving(this.priceOf(endpoint), answer);
    const shown = replay ?? asReplay(answer);
    if (replay === null) this.replays.set(answer, shown);
    return shown as Answer<Payload>;
  }

  private toPending(endpoint: AnyEndpoint, question: unknown, path: FieldPath | null): PendingQuestion {
    const { scope, units, origin } = this;
    const input = endpoint.toWire(question);
    const inputKey = cacheKey(endpoint, question, input);
    const key = questionKey(scope.caller, endpoint, inputKey);
    const price = this.priceOf(endpoint);
    const lasting = units.lasting?.id ?? null;
    // The answers of sandbox mode are not kept.
    const reuse = this.sandbox ? null : origin.reuse;
    const { caller } = scope;
    // Each property is named, because an object that begins with a spread is slow, and a wide operation makes hundreds.
    return { key, endpoint, question, cacheKey: inputKey, caller, price, lasting, reuse, joined: [], input, path };
  }

  private priceOf({ units }: AnyEndpoint): number {
    return this.scope.caller.sandbox ? 0 : units;
  }

  address(endpoint: AnyEndpoint): string {
    return this.client.address(endpoint);
  }

  availability(endpoint: AnyEndpoint): Availability {
    return this.client.availability(endpoint, this.scope.caller);
  }

  async findPaid<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    canReplay: boolean,
  ): Promise<Answer<Payload> | undefined> {
    const hasKept = this.units.lasting !== null || this.origin.reuse !== null;
    if (!(hasKept || canReplay) || this.findRefusal(endpoint) !== null || this.scope.caller.bearer === null)
      return undefined;
    const { memory, inFlight } = this.calls;
    const pending = this.toPending(endpoint, question, null);
    const answers = this.calls.store?.answers;
    // Only follow-up questions need the content of an answer, and only some answers end before their time. Files are not read for a price.
    if (hasKept && endpoint.placeholderAnswer === undefined && endpoint.isFresh === undefined) {
      if ((await this.payerCalls.hasKept(pending)) || (await answers?.hasReusable(pending)))
        return unsentAnswer('NOT_RUN', this.address(endpoint), []);
    } else if (hasKept) {
      const kept = (await this.payerCalls.findKept(pending)) ?? (await answers?.findReusable(pending));
      if (kept !== undefined) return kept.answer as Answer<Payload>;
    }
    if (!canReplay) return undefined;
    let answer = memory.get(pending) ?? this.window?.find(pending)?.answer;
    // The price of a running call is counted by the request that sent it.
    if (answer === undefined && inFlight.has(pending)) answer = unsentAnswer('NOT_RUN', this.address(endpoint), []);
    if (answer === undefined && this.storeLookups < maxStoreLookups) {
      this.storeLookups += 1;
      answer = await this.calls.find(pending);
    }
    return answer as Answer<Payload> | undefined;
  }

  async fetchUncached<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    const refusal = this.findRefusal(endpoint);
    if (refusal !== null) {
      this.units.recordRefusal(refusal);
      return refusal;
    }
    const price = this.priceOf(endpoint);
    const unshared = { endpoint, question, input: endpoint.toWire(question), price, path };
    return (await inLookupSpan(this.address(endpoint), () => this.sendUnshared(unshared))) as Answer<Payload>;
  }

  checkAccess(endpoint: AnyEndpoint): Answer<never> | null {
    requireBearer(this.scope.caller);
    const refusal = this.findRefusal(endpoint);
    if (refusal !== null) this.units.recordRefusal(refusal);
    return refusal;
  }

  recordRejection(outcome: Outcome, problems: readonly Problem[]): void {
    this.units.recordRejection(outcome, problems);
  }

  noteProblems(problems: readonly Problem[]): void {
    this.units.observer?.noteProblems?.(problems);
  }
}
