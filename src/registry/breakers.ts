import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
  isBrokenCircuitError,
} from 'cockatiel';
import type { RegistryName } from './endpoint';
import type { Exchange } from './transport';

const consecutiveFailures = 10;

/** A registry that keeps failing is left alone for a while: its callers learn it at once instead of after a deadline each. */
export class Breakers {
  private readonly byRegistry = new Map<string, CircuitBreakerPolicy>();

  constructor(private readonly pauseMs: number) {}

  /** Runs a call unless its registry is paused (null). Sandbox calls have breakers of their own: they tell nothing of the live side. */
  run(registry: RegistryName, sandbox: boolean, call: () => Promise<Exchange>): Promise<Exchange | null> {
    const breaker = this.breaker(sandbox ? `${registry} sandbox` : registry);
    if (breaker.state === CircuitState.Closed) return breaker.execute(call);
    // While one call tries whether the registry is back, cockatiel would keep the others waiting, beyond deadline and caller.
    if (breaker.state === CircuitState.HalfOpen) return Promise.resolve(null);
    return breaker.execute(call).catch(nullWherePaused);
  }

  /** Registries that are being left alone now. */
  open(): readonly string[] {
    return [...this.byRegistry].filter(([, breaker]) => breaker.state === CircuitState.Open).map(([name]) => name);
  }

  private breaker(name: string): CircuitBreakerPolicy {
    const known = this.byRegistry.get(name);
    if (known !== undefined) return known;
    const breaker = circuitBreaker(handleWhenResult(isFailure), {
      breaker: new ConsecutiveBreaker(consecutiveFailures),
      halfOpenAfter: this.pauseMs,
    });
    this.byRegistry.set(name, breaker);
    return breaker;
  }
}

function nullWherePaused(error: unknown): null {
  if (isBrokenCircuitError(error)) return null;
  throw error;
}

function isFailure(result: unknown): boolean {
  const exchange = result as Exchange;
  if (exchange.kind === 'delivered') return exchange.status >= 500;
  // What ran out of time before it left says nothing of the registry.
  return exchange.reason === 'UNREACHABLE' || (exchange.reason === 'TIMEOUT' && exchange.sent);
}
