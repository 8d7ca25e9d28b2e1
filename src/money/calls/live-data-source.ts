import { type Answer, ageOf, asReplay, isAnswer, notPermitted, unsentAnswer } from '../../registry/answer/answer';
import { type Problem, problem } from '../../registry/answer/problem';
import type { Availability } from '../../registry/client/availability';
import { type RegistryClient, type RequestScope, requireBearer } from '../../registry/client/client';
import { inLookupSpan } from '../../registry/client/tracing';
import { type AnyEndpoint, type Endpoint, cacheKeys as keysOf } from '../../registry/endpoint/endpoint';
import type { PriceList } from '../../registry/endpoint/price-list';
import { nullIfUnavailable } from '../../store/store';
import type { CallerWindow } from '../answers/caller-window';
import { isPart } from '../answers/operations/lasting-operations';
import { questionKey, reused, type SharedAnswer, toShared } from '../answers/shared-answer';
import type { Calls } from './calls';
import type { RegistryDataSource } from './data-source';
import { Asker, type CallResult, type InFlightCall, isUnsent, WaitingRequest } from './in-flight-call';
import type { CallOrigin, PayerCalls, PendingQuestion, SharedQuestion } from './life/call';
import { ledgerUnavailable } from './life/refusals';
import { PersonLinks } from './person-links';
import { PriceLookups } from './price-lookups';
import { QuestionLoader } from './question-loader';
import { QuestionSender, UnsharedCall } from './question-sender';
import type { ResponseDeadline } from './response-deadline';
import type { FieldPath } from './units/field-path';
import { type UnitMeter, withLedgerId } from './units/unit-meter';

/**
 * Asks the questions of a request or of a row. A question passes these steps: permission, once per request, response time, replay.
 * `QuestionSender` does the rest.
 */
export class LiveDataSource implements RegistryDataSource {
  readonly isDryRun = false;
  readonly sandbox: boolean;
  readonly prices: PriceList;
  readonly payerCalls: PayerCalls;
  private readonly client: RegistryClient;
  private readonly waiting: WaitingRequest;
  private readonly sender: QuestionSender;
  private readonly links: PersonLinks;
  /** Answers of the caller's early responses. Null for a row, which sends no response early. */
  private readonly window: CallerWindow | null;
  readonly lookups: PriceLookups;
  private readonly answers = new QuestionLoader((question) =>
    inLookupSpan(this.address(question.endpoint), () => this.answerInTime(question)),
  );
  /** Answers whose cost a field has reported, and how the next fields show them. */
  private readonly replays = new Map<Answer<unknown>, Answer<unknown> | null>();
  /** Answers that the caller's early response has shown. Their repeated fields saved nothing again. */
  private readonly shownBefore = new WeakSet<Answer<unknown>>();
  /** Entries of this request, by those of the calls that paid for its answers. Null if the request has none: a row, or a late answer. */
  private readonly ownEntries = new Map<string, string | null>();

  /** `deadline` is the time by which the request is answered. Null to wait for every answer. */
  constructor(
    private readonly calls: Calls,
    private readonly scope: RequestScope,
    readonly units: UnitMeter,
    private readonly origin: CallOrigin,
    private readonly deadline: ResponseDeadline | null = null,
    lastingNames: readonly string[] = [],
  ) {
    const { memory } = calls;
    const { client, timeoutMs } = calls.options;
    this.client = client;
    this.sandbox = scope.caller.sandbox;
    this.prices = scope.prices;
    this.window = isPart(units.lasting) ? null : calls.windowOf(scope.caller, origin);
    this.payerCalls = calls.of({ caller: scope.caller, origin, units, prices: scope.prices, lastingNames });
    this.lookups = new PriceLookups(calls, this.payerCalls, this.window);
    this.waiting = new WaitingRequest(scope.signal);
    this.links = new PersonLinks(this.payerCalls, this.ownEntries);
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
    const pending = this.toPending(endpoint, question, path);
    this.links.recordAsked(pending);
    const answer: Promise<unknown> = this.answers.load(pending);
    return answer as Promise<Answer<Payload>>;
  }

  /** Deadline. A call that was sent continues after it, and its answer is kept. */
  private async answerInTime(question: SharedQuestion): Promise<Answer<unknown>> {
    const asker = new Asker();
    const result = this.findOrAsk(question, asker);
    const { deadline } = this;
    return deadline === null ? (await result).answer : deadline.wait(question, result, asker);
  }

  /** Replay. Uses an answer that is kept, or that of another asker that is asking the same question. */
  private async findOrAsk(question: SharedQuestion, asker: Asker): Promise<CallResult> {
    const { scope, waiting, window, payerCalls, sender, units } = this;
    const { inFlight } = this.calls;
    requireBearer(scope.caller);
    const started = performance.now();
    let asked = started;
    const { lasting } = units;
    // An operation that has paid for the question shows its own answer, and uses that of an earlier one instead of paying.
    if (lasting !== null && (inFlight.has(question) || lasting.earlier !== null)) {
      const own = await payerCalls.findKept(question).catch(nullIfUnavailable);
      if (own === null) return this.refuse(question, ledgerUnavailable());
      if (own !== undefined) return this.reuse(question, own, started, asker);
    }
    for (let hasLooked = false; ; ) {
      const local = this.calls.findLocal(question, window);
      if (local !== undefined) return this.reuse(question, await local, started, asker);
      const running = inFlight.find(question);
      if (running === undefined) break;
      // A question that may use an older answer than the call wants does not wait for the call, and does not fail with it.
      const differs = running.differsFrom(question);
      const mayJoin = hasLooked || !differs;
      const shared = mayJoin ? await inFlight.join(question, waiting, asker, window) : null;
      const isFailure = shared && !isUnsent(shared.answer) && !isAnswer(shared.answer);
      const found = differs && (isFailure || !mayJoin) ? await sender.look(question, scope.signal) : null;
      const answer = found ?? shared;
      if (answer) return this.reuse(question, answer, started, asker);
      // While a call was running, the question did not wait for the store.
      if (mayJoin && running.isCall) asked = performance.now();
      hasLooked ||= differs;
      if (!asker.canPay) return this.refuse(question, problem('CALLER_GONE'));
    }
    // The call is registered before the first wait. Otherwise another asker would not find it, and would pay too.
    const call = inFlight.begin(question, waiting, asker);
    try {
      call.result = this.ask(question, call, started, asked);
      return await call.result;
    } finally {
      inFlight.end(question, waiting, call);
    }
  }

  /** `asked` is the time since which the question has waited for the store. */
  private async ask(question: SharedQuestion, call: InFlightCall, began: number, asked: number): Promise<CallResult> {
    const reply = await this.sender.ask(question, call, asked);
    if (reply.kind === 'answered') return this.reuse(question, reply, began, call.first);
    if (reply.kind === 'refused') {
      const { answer } = this.refuse(question, reply.problem);
      return { answer, shared: reply.isShared ? toShared(answer, null) : null };
    }
    return { answer: reply.answer, shared: toShared(reply.answer, this.units.lasting?.payer ?? null) };
  }

  private async sendUnshared(question: PendingQuestion): Promise<Answer<unknown>> {
    const reply = await this.sender.ask(question, new UnsharedCall(this.scope.signal));
    return reply.kind === 'refused' ? this.refuse(question, reply.problem).answer : reply.answer;
  }

  /** Records an answer that was paid for before, unless the response was sent without it. Returns it as this asker sees it. */
  private async reuse(
    question: SharedQuestion,
    { settled: found, ...shared }: SharedAnswer,
    started: number,
    asker: Asker,
  ): Promise<CallResult> {
    const { units, payerCalls } = this;
    const ms = performance.now() - started;
    const [reason] = shared.answer.problems;
    const isRefused = isUnsent(shared.answer) && reason !== undefined;
    const isSilent = asker.hasLeft || isRefused;
    const settled = found ?? (isSilent ? undefined : await this.window?.settle(question));
    // The response may have been sent meanwhile. Then the next one tells what the question settles.
    if (asker.hasLeft) return { answer: shared.answer, shared: settled?.uncertain ? { ...shared, settled } : shared };
    if (isRefused) return this.refuse(question, reason);
    const age = ageOf(shared.answer.evidence.checkedAt, this.calls.options.now());
    const cost = this.prices.costOf(question.endpoint, this.sandbox, shared.answer.outcome);
    const { answer, saving } = units.recordShared(question, cost, { ...shared, settled }, age, ms);
    const paid = answer.evidence.ledgerId;
    const entry = payerCalls.recordShared(question, answer, saving);
    const isOwn = shared.payer !== null && shared.payer === units.lasting?.payer;
    if (paid !== null && !isOwn) this.ownEntries.set(paid, entry === paid ? null : entry);
    // The answer of an earlier request is proved by its own entry.
    const shown = shared.keptBy === reused ? answer : withLedgerId(answer, entry);
    if (settled?.uncertain === 0) this.shownBefore.add(shown);
    return { answer: shown, shared };
  }

  /** Records a problem that this asker found in an answer. It does not concern the proof of another request that has paid for the answer. */
  recordProblem(endpoint: AnyEndpoint, question: unknown, { evidence }: Answer<unknown>, { code }: Problem): void {
    const { ledgerId } = evidence;
    if (ledgerId === null) return;
    const own = this.ownEntries.get(ledgerId);
    this.payerCalls.link(this.toPending(endpoint, question, null), own ?? ledgerId, code, own === null);
  }

  readonly linkPerson: NonNullable<RegistryDataSource['linkPerson']> = (asked, together, isOpen) => {
    const found = asked.map((entry) => ({ ...entry, question: this.toPending(entry.endpoint, entry.question, null) }));
    this.links.link(found, together, isOpen);
  };

  /** Records a call that was refused while the operation runs, whichever budget refused it. */
  private refuse({ endpoint, path }: PendingQuestion, reason: Problem): CallResult {
    const answer = unsentAnswer('NOT_RUN', this.address(endpoint), [reason]);
    this.units.recordRefusal(answer, path, true);
    return { answer, shared: null };
  }

  isKept(ledgerId: string): Promise<boolean | null> {
    return this.payerCalls.isKept(ledgerId);
  }

  attributeCost<Payload>(endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload> {
    const replay = this.replays.get(answer);
    if (replay === undefined) {
      this.replays.set(answer, null);
      return answer;
    }
    if (!this.shownBefore.has(answer))
      this.units.recordSaving(this.prices.costOf(endpoint, this.sandbox, answer.outcome), answer);
    const shown = replay ?? asReplay(answer);
    if (replay === null) this.replays.set(answer, shown);
    return shown as Answer<Payload>;
  }

  private toPending(endpoint: AnyEndpoint, question: unknown, path: FieldPath | null): SharedQuestion {
    const { scope, units, origin } = this;
    const input = endpoint.toWire(question);
    const cacheKeys = keysOf(endpoint, question, input);
    const key = questionKey(scope.caller, endpoint, cacheKeys[0]);
    const price = this.prices.costOf(endpoint, this.sandbox);
    const lasting = units.lasting?.id ?? null;
    // The answers of sandbox mode are not kept.
    const reuse = this.sandbox ? null : origin.reuse;
    const { caller } = scope;
    // Each property is named, because an object that begins with a spread is slow, and a wide operation makes hundreds.
    return { key, endpoint, question, cacheKeys, caller, price, purpose: origin.purpose, lasting, reuse, input, path };
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
    const mayFind = hasKept || canReplay || this.lookups.hasFailed;
    if (!mayFind || this.findRefusal(endpoint) !== null || this.scope.caller.bearer === null) return undefined;
    const found = this.lookups.findPaid(this.toPending(endpoint, question, null), hasKept, canReplay);
    return (await found) as Answer<Payload> | undefined;
  }

  async fetchUncached<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    const refusal = this.checkAccess(endpoint);
    if (refusal !== null) return refusal;
    const { caller } = this.scope;
    // A key would keep its secrets.
    const keys = { key: null, cacheKeys: null, lasting: null, reuse: null };
    const price = this.prices.costOf(endpoint, this.sandbox);
    const sent = { endpoint, question, input: endpoint.toWire(question), price, path };
    const unshared = { ...sent, ...keys, caller, purpose: this.origin.purpose };
    return (await inLookupSpan(this.address(endpoint), () => this.sendUnshared(unshared))) as Answer<Payload>;
  }

  checkAccess(endpoint: AnyEndpoint): Answer<never> | null {
    requireBearer(this.scope.caller);
    const refusal = this.findRefusal(endpoint);
    if (refusal !== null) this.units.recordRefusal(refusal);
    return refusal;
  }

  readonly recordRejection: RegistryDataSource['recordRejection'] = (outcome, problems) => {
    this.units.recordRejection(outcome, problems);
  };

  noteProblems(problems: readonly Problem[]): void {
    this.units.observer?.noteProblems?.(problems);
  }
}
