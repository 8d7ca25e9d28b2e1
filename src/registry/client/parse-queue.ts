import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Minimum size in bytes of a large answer. Parsing one takes a millisecond or more. */
const largeBytes = 64_000;

/** Parses one large answer per turn of the event loop, so that many of them do not block other requests. */
export class ParseQueue {
  private last: Promise<void> = Promise.resolve();

  wait(bytes: number): Promise<void> | null {
    if (bytes < largeBytes) return null;
    this.last = this.last.then(() => yieldToEventLoop());
    return this.last;
  }
}
