import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Answers from this size on take a millisecond or more to read. */
const largeBytes = 64_000;

/** Large answers are read one in a turn of the event loop: a year of files would hold up everything else. */
export class ParseQueue {
  private last: Promise<void> = Promise.resolve();

  /** Waits for a turn to parse a large answer. Returns null if the answer is small. */
  wait(bytes: number): Promise<void> | null {
    if (bytes < largeBytes) return null;
    this.last = this.last.then(() => yieldToEventLoop());
    return this.last;
  }
}
