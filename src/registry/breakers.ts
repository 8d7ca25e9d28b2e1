import type { RegistryName } from './endpoint';
import type { Exchange } from './transport';

const consecutiveFailures = 10;

/** How a call was let through: as every other, or to find out whether a paused registry is back. */
export type Admission = 'call' | 'trial';

/** A registry that keeps failing is left alone for a while: its callers learn it at once instead of after a deadline each. */
export class Breakers {
  private readonly byName = new Map<string, Breaker>();

  constructor(private readonly pauseMs: number) {}

  /** Sandbox calls have breakers of their own: they tell nothing of the live side. */
  of(registry: RegistryName, sandbox: boolean): Breaker {
    const name = sandbox ? `${registry} sandbox` : registry;
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    const breaker = new Breaker(this.pauseMs);
    this.byName.set(name, breaker);
    return breaker;
  }

  /** Registries that are being left alone now. */
  open(): readonly string[] {
    return [...this.byName].filter(([, breaker]) => breaker.isOpen).map(([name]) => name);
  }
}

/** The breaker of one registry. Asked before a call and told after it, so that no promise stands around the call itself. */
export class Breaker {
  private failures = 0;
  private pausedUntil: number | null = null;
  private isTrying = false;

  constructor(private readonly pauseMs: number) {}

  get isOpen(): boolean {
    return this.pausedUntil !== null;
  }

  /** Null while the registry is left alone. After the pause one call tries; the others do not wait for what becomes of it. */
  admit(): Admission | null {
    if (this.pausedUntil === null) return 'call';
    if (this.isTrying || performance.now() < this.pausedUntil) return null;
    this.isTrying = true;
    return 'trial';
  }

  /** What became of a call that was let through; null where it did not come to an exchange. */
  note(admission: Admission, exchange: Exchange | null): void {
    const failed = exchange === null ? null : hasFailed(exchange);
    if (admission === 'trial') this.isTrying = false;
    // What left before the pause and comes back in it tells nothing of the time after.
    else if (this.pausedUntil !== null) return;
    if (failed === null) return;
    this.failures = failed ? this.failures + 1 : 0;
    const pauses = failed && (admission === 'trial' || this.failures >= consecutiveFailures);
    this.pausedUntil = pauses ? performance.now() + this.pauseMs : null;
  }
}

/** Null where the exchange says nothing of the registry: it ran out of time before it left. */
function hasFailed(exchange: Exchange): boolean | null {
  if (exchange.kind === 'delivered') return exchange.status >= 500;
  if (exchange.reason === 'TIMEOUT' && !exchange.sent) return null;
  return exchange.reason !== 'UNUSABLE';
}
