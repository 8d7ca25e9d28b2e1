import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Answer, unsentAnswer } from '../../registry/answer/answer';
import { type Problem, problem } from '../../registry/answer/problem';
import type { RegistryClient } from '../../registry/client/client';
import type { CallerWindow } from '../answers/caller-window';
import { earlyMs } from '../answers/memory-answers';
import type { SharedAnswer } from '../answers/shared-answer';
import { moneyCodes } from '../codes';
import type { Asker, CallResult, EarlyLeave } from './in-flight-call';
import type { SharedQuestion } from './life/call';
import type { UnitMeter } from './units/unit-meter';

const passed = Symbol('passed');

/**
 * The time by which a request is answered with what has arrived. Calls that were sent then continue. The answers of the request, also
 * those that arrive later, are kept for the next requests of its caller.
 */
export class ResponseDeadline {
  private readonly expiry: Promise<typeof passed>;
  private timer: NodeJS.Timeout | null = null;
  /** Keeps the answers that have arrived. They are only kept if the response is early. */
  private readonly arrived: (() => void)[] = [];
  private readonly stillRunning = new Set<Promise<unknown>>();
  private isEarly = false;

  constructor(
    milliseconds: number,
    private readonly units: UnitMeter,
    private readonly client: Pick<RegistryClient, 'address' | 'recentMs'>,
    private readonly window: CallerWindow,
  ) {
    this.expiry = new Promise((resolve) => {
      this.timer = setTimeout(resolve, milliseconds, passed).unref();
    });
  }

  /** Whether the request lives on after its response, until the calls that it pays for end. A request that shares a call does not. */
  get isLate(): boolean {
    return this.stillRunning.size > 0;
  }

  /** Returns the answer if it arrives in time. Otherwise returns an answer with the problem STILL_RUNNING. */
  async wait(question: SharedQuestion, result: Promise<CallResult>, asker: Asker): Promise<Answer<unknown>> {
    const started = performance.now();
    let leave: EarlyLeave | null = null;
    const ended = result.then(
      ({ shared }) => this.keep(question, shared, leave === 'pays'),
      () => undefined,
    );
    // After the deadline, an answer that is in memory still arrives, because it takes no call.
    const first = await Promise.race([result, this.expiry.then(() => nextTurn(passed))]);
    if (first !== passed) return first.answer;
    this.open();
    const { endpoint, price, path, caller } = question;
    const retryAfter = secondsUntilRetry(this.client.recentMs(endpoint, caller), asker.elapsedMs);
    leave = asker.leaveEarly(this.window);
    const late = toLateAnswer(this.client.address(endpoint), leave, caller.sandbox, retryAfter);
    const remove =
      leave === 'drops' ? null : this.units.recordStillRunning(price, late, performance.now() - started, path);
    if (!asker.isFirst) return late;
    // A dropped question ends at once. The call that this request pays for is recorded when it ends.
    const tracked = ended.then(() => {
      if (leave === 'pays') remove?.();
      this.stillRunning.delete(tracked);
    });
    this.stillRunning.add(tracked);
    return late;
  }

  /** Ends the wait with the response. Resolves when the calls that missed the deadline have ended. */
  async end(): Promise<void> {
    // The timer would hold the answers of the request.
    if (this.timer !== null) clearTimeout(this.timer);
    await Promise.all(this.stillRunning);
  }

  private keep(question: SharedQuestion, shared: SharedAnswer | null, isLate: boolean): void {
    if (shared === null) return;
    const arrived = performance.now();
    const { price: uncertain } = question;
    const isSettled = isLate && this.units.isReported && !shared.isUncertain;
    const settled = isSettled ? { uncertain, spent: shared.answer.evidence.units } : shared.settled;
    const keep = (): void => this.window.keep(question, { ...shared, settled }, arrived);
    if (this.isEarly) keep();
    else this.arrived.push(keep);
  }

  private open(): void {
    this.isEarly = true;
    for (const keep of this.arrived.splice(0)) keep();
  }
}

const marginMs = 1_000;

/**
 * Returns the seconds after which it is worth asking again: the rest of the time that recent calls took, while the answers are still kept.
 * Without a recent call that took longer, it is one second. The next request waits, too, so one that is early shows the answer at once.
 */
export function secondsUntilRetry(recentMs: number | null, elapsedMs: number): number {
  const leftMs = (recentMs ?? 0) - elapsedMs;
  return Math.max(1, Math.floor(Math.min(leftMs, earlyMs - marginMs) / 1_000));
}

const dropped = {
  message: 'No call was made: the response was due before its turn came. Send the same operation again.',
  spanish:
    'No se consultó: el tiempo de la respuesta venció antes de que llegara su turno. Envíe de nuevo la misma operación.',
} as const;

function toLateAnswer(address: string, leave: EarlyLeave, sandbox: boolean, retryAfter: number): Answer<never> {
  const reason: Problem = problem(moneyCodes.STILL_RUNNING, { retryAfter, ...(leave === 'drops' ? dropped : null) });
  const answer = unsentAnswer(leave === 'drops' ? 'NOT_RUN' : 'UNAVAILABLE', address, [reason]);
  if (leave !== 'pays') return answer;
  const sent = sandbox ? ({ servedFrom: 'SANDBOX' } as const) : ({ servedFrom: 'LIVE', billing: 'UNKNOWN' } as const);
  return { ...answer, evidence: { ...answer.evidence, ...sent } };
}
