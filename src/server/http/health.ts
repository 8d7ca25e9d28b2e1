import type { FastifyInstance } from 'fastify';

/** Counts the running requests. A stop waits for them, because they may have paid for their answers. */
export class InFlightRequests {
  count = 0;
  private waiting: (() => void) | null = null;
  isDraining = false;

  start(): void {
    this.count += 1;
  }

  finish(): void {
    this.count -= 1;
    if (this.count === 0) this.waiting?.();
  }

  /** Stops accepting requests, and resolves when the running ones are answered or after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    this.isDraining = true;
    if (this.count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.waiting = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Kind of the service: a remote service, or the embedded sandbox with its invented people. */
export type ServiceKind = 'remote' | 'embedded-sandbox';

/** The store of the ledger, as far as readiness depends on it. */
export interface LedgerHealth {
  /** False until the process has reached its store. */
  readonly isReady: boolean;
  readonly isStoreUnavailable: boolean;
}

/**
 * Alive: the process answers. Ready: it takes new work. The registries' state does not matter, since each field reports its own. A
 * store of the ledger that becomes unavailable is shown; only a process that has never reached it is not ready.
 */
export function addHealth(
  app: FastifyInstance,
  requests: InFlightRequests,
  service: ServiceKind,
  ledger: (() => LedgerHealth) | null,
): void {
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (_request, reply) => {
    const { isReady, isStoreUnavailable } = ledger?.() ?? { isReady: true, isStoreUnavailable: false };
    const status = requests.isDraining ? 'stopping' : isReady ? 'ok' : 'starting';
    if (status !== 'ok') reply.code(503);
    return {
      status,
      service,
      ...(ledger === null ? {} : { ledgerStore: isReady && !isStoreUnavailable ? 'available' : 'unavailable' }),
    };
  });
}
