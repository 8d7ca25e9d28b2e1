import type { FastifyInstance } from 'fastify';

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

export type ServiceKind = 'remote' | 'embedded-sandbox';

export interface StoreState {
  readonly isReady: boolean;
  readonly isStoreUnavailable: boolean;
}

/**
 * Adds the routes of health. A process is live if it responds, and ready if it accepts new work. Failing registries do not matter,
 * because each field reports its own failure. If the store becomes unavailable, the process reports it, sends no paid call, and stays
 * ready: it still returns what is free, and another process could do no more. A process that has never reached the store is not ready.
 */
export function addHealth(
  app: FastifyInstance,
  requests: InFlightRequests,
  service: ServiceKind,
  store: () => StoreState | null,
): void {
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (_request, reply) => {
    const state = store();
    const { isReady, isStoreUnavailable } = state ?? { isReady: true, isStoreUnavailable: false };
    const status = requests.isDraining ? 'stopping' : isReady ? 'ok' : 'starting';
    if (status !== 'ok') reply.code(503);
    if (state === null) return { status, service };
    if (isReady && !isStoreUnavailable) return { status, service, ledgerStore: 'available' };
    return { status, service, ledgerStore: 'unavailable', paidCalls: 'stopped' };
  });
}
