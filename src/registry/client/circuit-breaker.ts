const maxConsecutiveFailures = 10;

/** How a call was let through: as every other, or to find out whether what was paused is back. */
export type Admission = 'call' | 'probe';

/**
 * What keeps failing is left alone for a while: its callers learn it at once instead of after a deadline each. Asked before a
 * call and given its result after, so that no promise stands around the call itself.
 */
export class CircuitBreaker {
  private failures = 0;
  private openUntil: number | null = null;
  private isProbing = false;

  constructor(private readonly resetTimeoutMs: number) {}

  get isOpen(): boolean {
    return this.openUntil !== null;
  }

  /** Milliseconds until the next call may try; 0 while one does. */
  get remainingMs(): number {
    return this.openUntil === null ? 0 : Math.max(0, this.openUntil - performance.now());
  }

  /** Null during the pause. After it one call tries, `early` also before; the others do not wait for what becomes of it. */
  tryAcquire(early = false): Admission | null {
    if (this.openUntil === null) return 'call';
    if (this.isProbing || (!early && performance.now() < this.openUntil)) return null;
    this.isProbing = true;
    return 'probe';
  }

  /** What became of a call that was let through: null where it tells nothing. `mayOpen` is false where more evidence is needed. */
  record(admission: Admission, failed: boolean | null, mayOpen = true): void {
    if (admission === 'probe') this.isProbing = false;
    // What left before the pause and comes back in it tells nothing of the time after.
    else if (this.openUntil !== null) return;
    if (failed === null) return;
    this.failures = failed ? this.failures + 1 : 0;
    const opens = failed && (admission === 'probe' || (mayOpen && this.failures >= maxConsecutiveFailures));
    this.openUntil = opens ? performance.now() + this.resetTimeoutMs : null;
  }
}
