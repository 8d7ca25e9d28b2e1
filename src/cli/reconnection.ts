import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchTexts } from './batch-texts';
import { type GraphClient, RequestFailedError, UnavailableError } from './graph-client';
import type { Screen } from './screen';

const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** Waits while padron restarts. */
export class Reconnection {
  constructor(
    private readonly client: GraphClient,
    /** Milliseconds until it gives up. */
    private readonly maxWaitMs: number,
    private readonly screen: Screen,
    private readonly texts: BatchTexts,
    private readonly hasRetry: boolean,
  ) {}

  /**
   * Calls `send`, and calls it again while padron is unavailable. `send` must read the state of the batch first, because the lost request
   * may have changed it. If padron has never answered, the first failure is final, because the address may be wrong.
   */
  async keepTrying<Result>(send: (isRepeated: boolean) => Promise<Result>): Promise<Result> {
    let giveUpAt = 0;
    for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, 2 * pause)) {
      try {
        return await send(giveUpAt > 0);
      } catch (error) {
        if (!(error instanceof UnavailableError) || !this.client.hasAnswered) throw error;
        if (giveUpAt === 0) {
          giveUpAt = Date.now() + this.maxWaitMs;
          const waiting = this.texts.waiting(error.message, Math.round(this.maxWaitMs / 1_000));
          this.screen.write(`${this.screen.isTerminal ? '\n' : ''}${waiting}\n`);
        }
        if (Date.now() + pause > giveUpAt)
          throw new RequestFailedError(`${error.message}\n${this.texts.continues(this.hasRetry)}`);
        await sleep(pause);
      }
    }
  }
}
