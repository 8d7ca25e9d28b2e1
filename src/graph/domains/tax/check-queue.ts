import { FairLimiter } from '../../../registry/client/fair-limiter';

/** Error if too many checks are waiting, or this one has waited too long. */
export class CheckQueueFullError extends Error {
  override readonly name = 'CheckQueueFullError';
}

/** Runs one check at a time. Tenants take turns, and share the places in the queue. */
export class CheckQueue {
  private readonly limiter: FairLimiter;
  private readonly tenants = new Map<string, { waiting: number }>();

  constructor(private readonly limits: { readonly maxWaiting: number; readonly maxWaitMs: number }) {
    this.limiter = new FairLimiter(1, limits.maxWaitMs);
  }

  /** Runs a check. Rejects with the reason of the signal if the client disconnects before its turn. */
  async run<Result>(tenant: string, signal: AbortSignal, check: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    const own = this.tenants.get(tenant) ?? { waiting: 0 };
    this.tenants.set(tenant, own);
    if (own.waiting >= this.limits.maxWaiting / this.tenants.size) throw new CheckQueueFullError();
    own.waiting += 1;
    const failure = await this.limiter.acquire('', own, { signal });
    own.waiting -= 1;
    if (own.waiting === 0) this.tenants.delete(tenant);
    if (failure === 'CALLER_GONE') throw signal.reason;
    if (failure !== null) throw new CheckQueueFullError();
    try {
      return await check();
    } finally {
      this.limiter.release('');
    }
  }
}
