/** Minimum share of a call's time that must be left to send it. With less, the call would be charged but hardly answered in time. */
const minTimeShare = 0.1;

/** Deadline of a whole call, including queueing, retries, headers and a slow body. */
export class Deadline {
  private readonly latestStart: number;
  private readonly timer: NodeJS.Timeout;
  private listener: (() => void) | null = null;
  expired = false;

  constructor(milliseconds: number) {
    this.latestStart = performance.now() + milliseconds * (1 - minTimeShare);
    this.timer = setTimeout(() => this.expire(), milliseconds);
  }

  /** Sets the listener for the end of the deadline. A call is in one place at a time, so there is one listener. */
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
