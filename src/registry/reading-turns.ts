import { setImmediate as otherWork } from 'node:timers/promises';

/** Answers from this size on take a millisecond or more to read. */
const largeBytes = 64_000;

/** Large answers are read one in a turn of the event loop: a year of files would hold up everything else. */
export class ReadingTurns {
  private last: Promise<void> = Promise.resolve();

  /** Null where the answer is small enough to be read at once. */
  take(bytes: number): Promise<void> | null {
    if (bytes < largeBytes) return null;
    this.last = this.last.then(() => otherWork());
    return this.last;
  }
}
