import type { FastifyInstance } from 'fastify';

/** Whether new work is taken, and how much is under way: a stop waits for what was already asked and paid. */
export class Shift {
  underWay = 0;
  private waiting: (() => void) | null = null;
  stopping = false;

  begin(): void {
    this.underWay += 1;
  }

  end(): void {
    this.underWay -= 1;
    if (this.underWay === 0) this.waiting?.();
  }

  /** Takes no new work, and resolves once what is under way is answered, or after `mostMs`. */
  async stop(mostMs: number): Promise<void> {
    this.stopping = true;
    if (this.underWay === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.waiting = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Alive: the process answers. Ready: it takes new work; the registries' state does not matter, since each field tells its own. */
export function addHealth(app: FastifyInstance, shift: Shift): void {
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (_request, reply) => {
    if (shift.stopping) reply.code(503);
    return { status: shift.stopping ? 'stopping' : 'ok' };
  });
}
