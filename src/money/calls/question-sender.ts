import { UnauthenticatedError } from '../../registry/answer/answer';
import { type Problem, problem } from '../../registry/answer/problem';
import type { RegistryClient, RequestScope, Turn } from '../../registry/client/client';
import type { MemoryAnswers } from '../answers/memory-answers';
import type { SharedAnswer } from '../answers/shared-answer';
import { isShared, type PayerCalls, type PendingQuestion, type SharedQuestion } from './life/call';
import type { Ended, OpenCall, Patience, PayerCall, QuestionState, SendableCall, Waiting } from './life/life';
import { type UnitMeter, withLedgerId } from './units/unit-meter';

export interface SenderDependencies {
  readonly client: RegistryClient;
  readonly memory: MemoryAnswers;
  readonly payerCalls: PayerCalls;
  readonly scope: RequestScope;
  readonly units: UnitMeter;
  /** Milliseconds that a question waits for its turn, and as long for a store that does not reply. */
  readonly timeoutMs: number;
}

/**
 * Finds, opens, sends and closes the call of a question. A question that is answered or being asked needs no turn. Nothing waits between opening
 * a call and sending it, so that only its holder sends it.
 */
export class QuestionSender {
  constructor(private readonly dependencies: SenderDependencies) {}

  /** Looks for an answer that the question may use, also while another call asks it. Returns null if there is none. */
  async look(question: SharedQuestion, signal: AbortSignal): Promise<SharedAnswer | null> {
    const { client, payerCalls, units, timeoutMs } = this.dependencies;
    const found = await payerCalls.begin(question).find({ signal, maxMs: timeoutMs });
    units.recordLost(client.address(question.endpoint), found.lostUnits);
    return found.kind === 'answered' ? found : null;
  }

  /** `asked` is the time since which the question has waited for the store. */
  async ask(question: PendingQuestion, sending: SendableCall, asked = performance.now()): Promise<Ended> {
    const { payerCalls, timeoutMs } = this.dependencies;
    const limit = new WaitLimit(timeoutMs, asked);
    let call = payerCalls.begin(question, sending.running);
    try {
      for (;;) {
        const reply = await this.tryOnce(question, call, sending, limit);
        if (reply !== null && reply.kind !== 'waiting') return reply;
        if (sending.signal.aborted) return refused(problem('CALLER_GONE'));
        if (reply === null) {
          // Another process may have taken the call over.
          call.leave();
          call = payerCalls.begin(question, sending.running);
        } else {
          const maxMs = limit.add(reply);
          // The limit of an operation concerns its own requests.
          if (maxMs <= 0) return refused(reply.problem, reply.problem.code !== 'UNIT_BUDGET_EXCEEDED');
          if (reply.elsewhereMs !== null) sending.onElsewhere(reply.elsewhereMs);
          await reply.until({ signal: sending.signal, maxMs });
          sending.own(null);
        }
      }
    } finally {
      call.leave();
    }
  }

  /** Returns null if the call was opened and may not be sent any more. */
  private async tryOnce(
    question: PendingQuestion,
    call: PayerCall,
    sending: SendableCall,
    limit: WaitLimit,
  ): Promise<Ended | Waiting | null> {
    const { client, memory, scope, units } = this.dependencies;
    const { endpoint, price } = question;
    // An operation that lasts may keep an answer that it has paid for.
    const local = units.lasting !== null || !isShared(question) ? undefined : memory.find(question, null);
    const mayPay = local === undefined && sending.canPay && units.canAfford(price);
    const mustFind = !mayPay || !client.hasTurn(endpoint, scope.caller);
    const found = mustFind ? await call.find(limit.ofReply(sending.signal)) : null;
    units.recordLost(client.address(endpoint), found?.lostUnits ?? 0);
    if (found !== null && found.kind !== 'absent') return found;
    if (found !== null) limit.reset();
    if (local !== undefined) return { kind: 'answered', ...local };
    if (!mayPay) return refused(sending.canPay ? units.exceeded : problem('CALLER_GONE'));
    await scope.turns?.acquire();
    try {
      return await this.openInTurn(question, call, sending, limit);
    } finally {
      scope.turns?.release();
    }
  }

  private async openInTurn(
    question: PendingQuestion,
    call: PayerCall,
    sending: SendableCall,
    limit: WaitLimit,
  ): Promise<Ended | Waiting | null> {
    const { client, scope, units } = this.dependencies;
    const turn = await client.takeTurn(question.endpoint, scope, sending);
    if ('outcome' in turn) {
      units.recordCall(0, turn, 0, question.path);
      return { kind: 'received', answer: turn };
    }
    let opened: OpenCall | null = null;
    try {
      const found = await call.open(limit.ofReply(sending.signal));
      units.recordLost(client.address(question.endpoint), found.lostUnits);
      if (found.kind !== 'opened') return found;
      const { canPay } = sending;
      if (!canPay || !units.reserve(question.price)) return refused(canPay ? units.exceeded : problem('CALLER_GONE'));
      opened = found.call;
    } finally {
      if (opened === null) client.release(turn);
    }
    sending.own(opened);
    return this.send(question, sending, turn, opened);
  }

  /** The actual cost of the call replaces the reserved price. */
  private async send(
    question: PendingQuestion,
    sending: SendableCall,
    turn: Turn,
    opened: OpenCall,
  ): Promise<Extract<QuestionState, { readonly kind: 'received' }> | null> {
    const { client, memory, units } = this.dependencies;
    const { endpoint, price, path, input } = question;
    const started = performance.now();
    const { generation } = memory;
    try {
      const received = await client.send<unknown, unknown>(turn, question.question, input, sending);
      if (received === null) {
        units.release(price);
        sending.own(null);
        return null;
      }
      const answer = withLedgerId(received, opened.ledgerId);
      if (isShared(question) && memory.generation === generation) memory.keep(question, answer, started);
      opened.close(received);
      units.recordCall(price, answer, performance.now() - started, path);
      return { kind: 'received', answer };
    } catch (error) {
      const address = client.address(endpoint);
      // A refused token costs nothing. After any other error the call may have been charged.
      if (error instanceof UnauthenticatedError) {
        opened.release();
        units.recordUnauthenticated(price, address, performance.now() - started, path);
      } else {
        opened.fail();
        units.release(price);
        units.recordLost(address, price);
      }
      throw error;
    }
  }
}

const refused = (reason: Problem, isShared = false): Ended => ({ kind: 'refused', problem: reason, isShared });

/** Limit of the time that a question waits. */
class WaitLimit {
  private readonly started = performance.now();
  private askedAt = this.started;

  /** `unavailableSince` is the time since which the store has not replied. */
  constructor(
    private readonly timeoutMs: number,
    private unavailableSince: number | null,
  ) {}

  /** The store has replied. */
  reset(): void {
    this.unavailableSince = null;
  }

  /** Returns the patience for the next reply of the store. */
  ofReply(signal: AbortSignal): Patience {
    this.askedAt = performance.now();
    return { signal, maxMs: Math.max(0, this.leftFor(this.unavailableSince ?? this.askedAt, this.timeoutMs)) };
  }

  /** Returns the milliseconds for which a reply may be waited for, or 0 if it was waited for long enough. */
  add({ elsewhereMs }: Waiting): number {
    // Another process waits for its answer as long as for its turn.
    if (elsewhereMs !== null) {
      this.reset();
      return this.leftFor(this.started, 2 * this.timeoutMs);
    }
    this.unavailableSince ??= this.askedAt;
    return this.leftFor(this.unavailableSince, this.timeoutMs);
  }

  private leftFor(since: number, ms: number): number {
    return since + ms - performance.now();
  }
}

/** A call whose answer only its request gets. */
export class UnsharedCall implements SendableCall {
  readonly running = null;
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
