/** A call sent with less of its time left than this has hardly a chance to be answered, but would be charged. */
const minTimeShare = 0.1;

/** One moment by which a whole call must be over: queueing, retries, headers and a dripping body alike. */
export class Deadline {
  private readonly latestStart: number;
  private readonly timer: NodeJS.Timeout;
  private listener: (() => void) | null = null;
  expired = false;

  constructor(milliseconds: number) {
    this.latestStart = performance.now() + milliseconds * (1 - minTimeShare);
    this.timer = setTimeout(() => this.expire(), milliseconds);
  }

  /** What to do when it passes; one listener at a time, since a call is in one place at a time. */
  onExpire(listener: (() => void) | null): void {
    this.listener = listener;
    if (listener !== null && this.expired) listener();
  }

  /** Whether a call that is sent after so long still has time to be answered. */
  hasTimeFor(milliseconds: number): boolean {
    return performance.now() + milliseconds < this.latestStart;
  }

  clear(): void {
    clearTimeout(this.timer);
    this.listener = null;
  }

  private expire(): void {
    this.expired = true;
    this.listener?.();
  }
}
