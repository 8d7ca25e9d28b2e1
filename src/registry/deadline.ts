/** One moment by which a whole call must be over: queueing, retries, headers and a dripping body alike. */
export class Deadline {
  private readonly at: number;
  private readonly timer: NodeJS.Timeout;
  private onExpiry: (() => void) | null = null;
  expired = false;

  constructor(milliseconds: number) {
    this.at = performance.now() + milliseconds;
    this.timer = setTimeout(() => this.expire(), milliseconds);
  }

  /** What to do when it passes; one listener at a time, since a call is in one place at a time. */
  whenExpired(listener: (() => void) | null): void {
    this.onExpiry = listener;
    if (listener !== null && this.expired) listener();
  }

  allows(milliseconds: number): boolean {
    return performance.now() + milliseconds < this.at;
  }

  clear(): void {
    clearTimeout(this.timer);
    this.onExpiry = null;
  }

  private expire(): void {
    this.expired = true;
    this.onExpiry?.();
  }
}
