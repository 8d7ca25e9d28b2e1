import DataLoader from 'dataloader';
import { type Answer, asReplay, UnauthenticatedError, unsentAnswer } from '../registry/answer/answer';
import { type Problem, type ProblemCode, problem } from '../registry/answer/problem';
import { type Call, type RegistryClient, type RequestScope, requireBearer } from '../registry/client/client';
import { inLookupSpan } from '../registry/client/tracing';
import { notPermitted } from '../registry/client/unsent-answers';
import { type AnyEndpoint, cacheKey, type Endpoint } from '../registry/endpoint/endpoint';
import type { CallerWindow } from './answers/early-answers';
import {
  CallPart,
  type CallResult,
  type InFlightCall,
  type InFlightCalls,
  type WaitingRequest,
} from './answers/in-flight-calls';
import type { MemoryAnswers } from './answers/memory-answers';
import { accountPartition, questionKey, type SharedAnswer, toShared } from './answers/shared-answer';
import type { OpenCall, OutgoingQuestion, PayingRow, PendingQuestion } from './call';
import type { FieldPath } from './field-path';
import type { PayerCalls } from './payer-calls';
import type { ResponseDeadline } from './response-deadline';
import type { CallUnits } from './units/call-units';
import { withLedgerId } from './units/savings';

/**
 * Runs the questions of a request or of a row. The methods are in the order of the steps: permission, once per request, response time,
 * replay, open, send, close. The client interprets the answer.
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

  /** Replay. Uses the answer of another asker that is asking the same question, or an answer that is kept. */
  private async findOrAsk(question: PendingQuestion, part: CallPart): Promise<CallResult> {
    const { inFlight, scope, waiting, row } = this.dependencies;
    requireBearer(scope.caller);
    const started = performance.now();
    // A row that has paid for the question in an earlier try shows its own answer.
    const own = inFlight.has(question) ? await row?.find(question) : undefined;
    if (own !== undefined) return this.reuse(question, own, started, part);
    let hasTurn = row === null;
    try {
      for (;;) {
        for (let joined = inFlight.join(question, waiting, part); joined !== undefined; ) {
          const shared = await joined;
          if (shared !== null) return this.reuse(question, shared, started, part);
          if (!part.canPay) return this.refuse(question, problem('CALLER_GONE'));
          joined = inFlight.join(question, waiting, part);
        }
        if (hasTurn || row === null) break;
        await row.takeTurn();
        hasTurn = true;
      }
      return await this.askUnlessKept(question, part, started);
    } finally {
      if (row !== null && hasTurn) row.endTurn();
    }
  }

  private async askUnlessKept(question: PendingQuestion, part: CallPart, started: number): Promise<CallResult> {
    const { memory, inFlight, waiting, window, row } = this.dependencies;
    const local = row === null ? memory.get(question) : undefined;
    if (local !== undefined) return this.reuse(question, toShared(local, null), started, part);
    const kept = window?.find(question);
    if (window !== null && kept !== undefined)
      return this.reuse(question, await window.latest(question, kept), started, part);
    // The call is registered before the first wait. Otherwise another asker would not find it, and would pay too.
    const call = inFlight.begin(question, waiting, part);
    try {
      call.result = this.ask(question, call, started);
      return await call.result;
    } finally {
      inFlight.end(question, waiting, call);
    }
  }

  /** Open, then budget of the asker. Opening comes first because an answer that was paid for before uses no budget. */
  private async ask(question: PendingQuestion, call: InFlightCall, started: number): Promise<CallResult> {
    const { client, payerCalls, units, row } = this.dependencies;
    const opened = await payerCalls.open(question, question, call);
    units.recordLost(client.address(question.endpoint), opened.lostUnits);
    if (opened.kind === 'answered') return this.reuse(question, opened, started, call.claimer);
    if (opened.kind === 'refused') return this.refuse(question, opened.problem);
    const { canPay } = call.claimer;
    if (!canPay || !units.reserve(question.price)) {
      opened.call.release();
      return this.refuse(question, canPay ? units.exceeded : problem('CALLER_GONE'));
    }
    call.own(opened.call);
    await row?.startCall();
    try {
      return await this.send(question, call, opened.call);
    } finally {
      row?.endCall();
    }
  }

  /** Send, then close. The actual cost of the call replaces the reserved price. */
  private async send(question: OutgoingQuestion, call: Call, opened: OpenCall): Promise<CallResult> {
    const { client, scope, units } = this.dependencies;
    const { endpoint, price, path, input } = question;
    const started = performance.now();
    try {
      const received = await client.fetch<unknown, unknown>(endpoint, question.question, scope, input, call);
      opened.close(received);
      const answer = withLedgerId(received, opened.ledgerId);
      units.recordCall(price, answer, performance.now() - started, path);
      return { answer, shared: toShared(answer, units.payer) };
    } catch (error) {
      const address = client.address(endpoint);
      // A refused token costs nothing. After any other error the call may have been charged.
      if (error instanceof UnauthenticatedError) opened.release();
      else {
        opened.fail();
        units.recordLost(address, price);
      }
      units.recordUnauthenticated(price, address, performance.now() - started, path);
      throw error;
    }
  }

  async sendUnshared(question: OutgoingQuestion): Promise<Answer<unknown>> {
    const { payerCalls, scope, units } = this.dependencies;
    const claimant = { signal: scope.signal, canPay: true, onElsewhere: () => undefined };
    if (!units.canAfford(question.price)) return this.refuse(question, units.exceeded).answer;
    const opened = await payerCalls.open(question, null, claimant);
    if (opened.kind === 'refused') return this.refuse(question, opened.problem).answer;
    if (opened.kind === 'answered') return opened.answer;
    if (units.reserve(question.price)) return (await this.send(question, scope, opened.call)).answer;
    opened.call.release();
    return this.refuse(question, units.exceeded).answer;
  }

  /** Records an answer that was paid for before, unless the response was sent without it. Returns it as this asker sees it. */
  private reuse(question: PendingQuestion, shared: SharedAnswer, started: number, { hasLeft }: CallPart): CallResult {
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
    const { operation } = units;
    const price = this.priceOf(endpoint);
    return { key, endpoint, question, input, cacheKey: inputKey, caller: scope.caller, price, operation, path };
  }

  priceOf({ units }: AnyEndpoint): number {
    return this.dependencies.scope.caller.sandbox ? 0 : units;
  }
}

interface RunnerDependencies {
  readonly client: RegistryClient;
  readonly memory: MemoryAnswers;
  readonly inFlight: InFlightCalls;
  readonly payerCalls: PayerCalls;
  readonly scope: RequestScope;
  readonly waiting: WaitingRequest;
  readonly units: CallUnits;
  /** The row of a batch that pays. Null for a request. */
  readonly row: PayingRow | null;
  /** The time by which a request is answered. Null to wait for every answer. */
  readonly deadline: ResponseDeadline | null;
  /** Answers of the caller's early responses. Null for a row of a batch. */
  readonly window: CallerWindow | null;
}
