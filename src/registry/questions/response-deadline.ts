import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Answer, unsentAnswer } from '../answer/answer';
import { problem } from '../answer/problem';
import type { CallPart } from '../answers/in-flight-call';
import type { LateAnswers } from '../answers/late-answers';
import type { RegistryClient } from '../client/client';
import type { PendingQuestion } from './pending-question';
import type { UnitMeter } from './unit-meter';

const passed = Symbol('passed');

/**
 * The time by which a request is answered with what has arrived. A call that is running then continues, and its answer is kept for
 * the next request that asks the same question.
 */
export class ResponseDeadline {
  private readonly began = performance.now();
  private readonly expiry: Promise<typeof passed>;
  private timer: NodeJS.Timeout | null = null;
  private readonly stillRunning = new Set<Promise<unknown>>();

  constructor(
    milliseconds: number,
    private readonly units: UnitMeter,
    private readonly client: Pick<RegistryClient, 'address' | 'recentMs'>,
    private readonly late: LateAnswers,
    private readonly replayMs: number,
  ) {
    this.expiry = new Promise((resolve) => {
      this.timer = setTimeout(resolve, milliseconds, passed).unref();
    });
  }

  /** Returns the answer if it arrives in time. Otherwise returns an answer with the problem STILL_RUNNING. */
  async wait(question: PendingQuestion, answer: Promise<Answer<unknown>>, part: CallPart): Promise<Answer<unknown>> {
    const started = performance.now();
    // After the deadline, an answer that is in memory still arrives, because it takes no call.
    const first = await Promise.race([answer, this.expiry.then(() => nextTurn(passed))]);
    if (first !== passed) return first;
    const { endpoint, price, path, caller } = question;
    const now = performance.now();
    // By then, also the answers that this response has are still replayed.
    const keptMs = Math.min(this.began + this.replayMs - now, this.late.keptMs);
    const retryAfter = secondsUntilRetry(this.client.recentMs(endpoint), part.elapsedMs, keptMs);
    const late = toLateAnswer(this.client.address(endpoint), part.reportPayment(), caller.sandbox, retryAfter);
    const remove = this.units.recordStillRunning(price, late, now - started, path);
    const keep = async (): Promise<void> => {
      remove();
      const shared = await part.shared();
      if (shared !== null) this.late.keep(question, shared);
    };
    const ended = answer.then(keep, remove).finally(() => this.stillRunning.delete(ended));
    this.stillRunning.add(ended);
    return late;
  }

  /** Ends the wait with the response. Resolves when the calls that missed the deadline have ended. */
  async end(): Promise<void> {
    // The timer would hold the answers of the request.
    if (this.timer !== null) clearTimeout(this.timer);
    await Promise.all(this.stillRunning);
  }
}

/** Milliseconds that the next request may take to arrive. */
const marginMs = 1_000;

/**
 * Returns the seconds after which it is worth asking again: the rest of the time that recent calls took, or as long as this call has
 * taken so far. The answers must still be kept then.
 */
export function secondsUntilRetry(recentMs: number | null, elapsedMs: number, keptMs: number): number {
  const leftMs = recentMs !== null && recentMs > elapsedMs ? recentMs - elapsedMs : elapsedMs;
  return Math.max(1, Math.min(Math.ceil(leftMs / 1_000), Math.floor((keptMs - marginMs) / 1_000)));
}

function toLateAnswer(address: string, isPaying: boolean, sandbox: boolean, retryAfter: number): Answer<never> {
  const answer = unsentAnswer('UNAVAILABLE', address, [problem('STILL_RUNNING', { retryAfter })]);
  if (!isPaying) return answer;
  const sent = sandbox ? ({ servedFrom: 'SANDBOX' } as const) : ({ servedFrom: 'LIVE', billing: 'UNKNOWN' } as const);
  return { ...answer, evidence: { ...answer.evidence, ...sent } };
}
