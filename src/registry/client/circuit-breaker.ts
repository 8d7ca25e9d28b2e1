import type { RegistryName } from '../endpoint/endpoint';
import type { HttpResult } from '../transport/transport';

const maxConsecutiveFailures = 10;

/** How a call was let through: as every other, or to find out whether a paused registry is back. */
export type Admission = 'call' | 'probe';

/** A registry that keeps failing is left alone for a while: its callers learn it at once instead of after a deadline each. */
export class CircuitBreakers {
  private readonly byName = new Map<string, CircuitBreaker>();

  constructor(private readonly resetTimeoutMs: number) {}

  /** Sandbox calls have breakers of their own: they tell nothing of the live side. */
  of(registry: RegistryName, sandbox: boolean): CircuitBreaker {
    const name = sandbox ? `${registry} sandbox` : registry;
    const existing = this.byName.get(name);
    if (existing !== undefined) return existing;
    const breaker = new CircuitBreaker(this.resetTimeoutMs);
    this.byName.set(name, breaker);
    return breaker;
  }

  /** Registries that are being left alone now. */
  openCircuits(): readonly string[] {
    return [...this.byName].filter(([, breaker]) => breaker.isOpen).map(([name]) => name);
  }
}

/** The breaker of one registry. Asked before a call and given its result after, so that no promise stands around the call itself. */
export class CircuitBreaker {
  private failures = 0;
  private openUntil: number | null = null;
  private isProbing = false;

  constructor(private readonly resetTimeoutMs: number) {}

  get isOpen(): boolean {
    return this.openUntil !== null;
  }

  /** Null while the registry is left alone. After the pause one call tries; the others do not wait for what becomes of it. */
  tryAcquire(): Admission | null {
    if (this.openUntil === null) return 'call';
    if (this.isProbing || performance.now() < this.openUntil) return null;
    this.isProbing = true;
    return 'probe';
  }

  /** What became of a call that was let through; null where nothing was sent. */
  record(admission: Admission, result: HttpResult | null): void {
    const failed = result === null ? null : hasFailed(result);
    if (admission === 'probe') this.isProbing = false;
    // What left before the pause and comes back in it tells nothing of the time after.
    else if (this.openUntil !== null) return;
    if (failed === null) return;
    this.failures = failed ? this.failures + 1 : 0;
    const opens = failed && (admission === 'probe' || this.failures >= maxConsecutiveFailures);
    this.openUntil = opens ? performance.now() + this.resetTimeoutMs : null;
  }
}

/** Null where the result says nothing of the registry: it ran out of time before it left. */
function hasFailed(result: HttpResult): boolean | null {
  if (result.kind === 'delivered') return result.status >= 500;
  if (result.reason === 'TIMEOUT' && !result.sent) return null;
  return result.reason !== 'UNUSABLE';
}
