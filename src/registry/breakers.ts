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
  async run(registry: RegistryName, sandbox: boolean, call: () => Promise<Exchange>): Promise<Exchange | null> {
    const breaker = this.breaker(`${registry}${sandbox ? ' sandbox' : ''}`);
    try {
      return await breaker.execute(call);
    } catch (error) {
      if (isBrokenCircuitError(error)) return null;
      throw error;
    }
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

function isFailure(result: unknown): boolean {
  const exchange = result as Exchange;
  return exchange.kind === 'failed' ? exchange.reason !== 'UNUSABLE' : exchange.status >= 500;
}
