import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Answer, unsentAnswer } from '../answer/answer';
import { problem } from '../answer/problem';
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
  private readonly expiry: Promise<typeof passed>;
  private timer: NodeJS.Timeout | null = null;
  private readonly stillRunning = new Set<Promise<unknown>>();

  constructor(
    milliseconds: number,
    private readonly units: UnitMeter,
    private readonly client: Pick<RegistryClient, 'address' | 'recentMs'>,
    private readonly late: LateAnswers,
  ) {
    this.expiry = new Promise((resolve) => {
      this.timer = setTimeout(resolve, milliseconds, passed).unref();
    });
  }

  /**
   * Returns the answer if it arrives in time. Otherwise returns an answer with the problem STILL_RUNNING. `isPaying` tells whether this
   * request pays for the call. If not, another request has sent the question, and reports its price.
   */
  async wait(
    question: PendingQuestion,
    answer: Promise<Answer<unknown>>,
    isPaying: () => boolean,
  ): Promise<Answer<unknown>> {
    const started = performance.now();
    // After the deadline, an answer that is in memory still arrives, because it takes no call.
    const first = await Promise.race([answer, this.expiry.then(() => nextTurn(passed))]);
    if (first !== passed) return first;
    const { endpoint, price, path, caller } = question;
    const elapsedMs = performance.now() - started;
    const retryAfter = secondsLeft(this.client.recentMs(endpoint), elapsedMs);
    const late = toLateAnswer(this.client.address(endpoint), isPaying(), caller.sandbox, retryAfter);
    const remove = this.units.recordStillRunning(price, late, elapsedMs, path);
    const keep = (received: Answer<unknown>): void => {
      remove();
      this.late.keep(question, received);
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

/** Maximum seconds until a follow-up. The answers of the first response must still be replayed then. */
const maxRetryAfter = 10;

/** Returns the seconds after which it is worth asking again: what recent calls took, or as long as this call has taken so far. */
function secondsLeft(recentMs: number | null, elapsedMs: number): number {
  const leftMs = recentMs !== null && recentMs > elapsedMs ? recentMs - elapsedMs : elapsedMs;
  return Math.min(maxRetryAfter, Math.max(1, Math.ceil(leftMs / 1_000)));
}

function toLateAnswer(address: string, isPaying: boolean, sandbox: boolean, retryAfter: number): Answer<never> {
  const answer = unsentAnswer('UNAVAILABLE', address, [problem('STILL_RUNNING', { retryAfter })]);
  if (!isPaying) return answer;
  const sent = sandbox ? ({ servedFrom: 'SANDBOX' } as const) : ({ servedFrom: 'LIVE', billing: 'UNKNOWN' } as const);
  return { ...answer, evidence: { ...answer.evidence, ...sent } };
}
