const maxConsecutiveFailures = 10;

/** Kind of an admitted call: a normal call, or a probe whether the registry is back. */
export type Admission = 'call' | 'probe';

/** A circuit breaker. While it is open, callers get an error at once instead of after a deadline. */
export class CircuitBreaker {
  private failures = 0;
  private openUntil: number | null = null;
  private isProbing = false;

  constructor(private readonly resetTimeoutMs: number) {}

  get isOpen(): boolean {
    return this.openUntil !== null;
  }

  /** Milliseconds until the next call may probe the registry. 0 while a probe runs. */
  get remainingMs(): number {
    return this.openUntil === null ? 0 : Math.max(0, this.openUntil - performance.now());
  }

  /**
   * Admits a call, or returns null during the pause. After the pause one call probes the registry, with `early` also
   * before its end. The others do not wait for the probe.
   */
  tryAcquire(early = false): Admission | null {
    if (this.openUntil === null) return 'call';
    if (this.isProbing || (!early && performance.now() < this.openUntil)) return null;
    this.isProbing = true;
    return 'probe';
  }

  /** Records the result of an admitted call. Null tells nothing. With `mayOpen` false the breaker does not open. */
  record(admission: Admission, failed: boolean | null, mayOpen = true): void {
    if (admission === 'probe') this.isProbing = false;
    // A call from before the pause that ends during it tells nothing about the registry after the pause.
    else if (this.openUntil !== null) return;
    if (failed === null) return;
    this.failures = failed ? this.failures + 1 : 0;
    const opens = failed && (admission === 'probe' || (mayOpen && this.failures >= maxConsecutiveFailures));
    this.openUntil = opens ? performance.now() + this.resetTimeoutMs : null;
  }
}
