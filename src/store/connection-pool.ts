import { Pool, type PoolConfig } from 'pg';
import { times } from '../times';

/** A pool that keeps its connections, because one that is closed may be refused when it is needed again. */
export class ConnectionPool extends Pool {
  /** Number of open connections. `totalCount` has those that are still being opened, too. */
  opened = 0;
  private refused: NodeJS.Timeout | null = null;

  constructor(private readonly config: PoolConfig & { readonly max: number }) {
    super({ ...config, idleTimeoutMillis: 0 });
    this.on('connect', () => {
      this.opened += 1;
    });
    this.on('remove', () => {
      this.opened -= 1;
    });
    // An idle connection failed. The next statement uses another one.
    this.on('error', () => undefined);
  }

  /** Opens all connections that the server gives. Returns their number. */
  async openAll(): Promise<number> {
    const results = await Promise.allSettled(Array.from({ length: this.config.max }, () => this.connect()));
    const clients = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    for (const client of clients) client.release();
    return clients.length;
  }

  /** Limits the pool to its open connections for a while, because the server has refused another one. */
  waitForOpened(): void {
    if (this.refused !== null) return;
    this.options.max = Math.max(1, this.opened);
    this.refused = setTimeout(() => {
      this.refused = null;
      this.options.max = this.config.max;
    }, times.connectionRetry).unref();
  }
}
