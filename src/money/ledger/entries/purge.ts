import { type Store, type StoreParameter, StoreUnavailableError } from '../../../store/store';
import { times } from '../../../times';

/** Number of deleted rows, by table. */
export type DeletedRows = Readonly<Record<string, number>>;
export type PurgeJob = (store: Store, signal: AbortSignal) => Promise<DeletedRows>;

export interface PurgeObserver {
  rowsDeleted(rows: DeletedRows): void;
  /** Reports that nothing is deleted, because the clock of this process is so many seconds ahead of the store's. */
  clockDiffers(aheadSeconds: number): void;
  purgeFailed(error: unknown): void;
}

/** Rows deleted by one statement. The number is small, so that readers and writers do not wait for it. */
export const chunkRows = 2_000;
/** Maximum difference between the clocks of this process and of the store. */
const maxClockMs = 120_000;

/** Deletes what has expired by the clock of the store, soon after the start and once an hour. */
export class Purge {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(
    private readonly store: Store,
    private readonly jobs: readonly PurgeJob[],
    private readonly now: () => Date,
    private readonly observer: PurgeObserver,
  ) {}

  start({ first, every } = times.purge): void {
    this.timer = setTimeout(() => {
      this.running = this.run().then(() => {
        if (!this.stopping.signal.aborted) this.start({ first: every, every });
      });
    }, first).unref();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
  }

  /** Runs all jobs. If one fails, the others run nevertheless. */
  async run(): Promise<void> {
    if (!(await this.attempt(() => this.hasRightClock()))) return;
    for (const job of this.jobs) {
      const rows = (await this.attempt(() => job(this.store, this.stopping.signal))) ?? {};
      const deleted = Object.entries(rows).filter(([, count]) => count > 0);
      if (deleted.length > 0) this.observer.rowsDeleted(Object.fromEntries(deleted));
    }
  }

  private async hasRightClock(): Promise<boolean> {
    const [row] = await this.store.query<{ readonly now: Date }>('SELECT clock_timestamp() AS now');
    const aheadMs = this.now().getTime() - (row?.now.getTime() ?? 0);
    if (Math.abs(aheadMs) <= maxClockMs) return true;
    this.observer.clockDiffers(Math.round(aheadMs / 1_000));
    return false;
  }

  private async attempt<Result>(work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) this.observer.purgeFailed(error);
      return null;
    }
  }
}

/** Deletes the rows of a table whose column is below a value, in the order of the column. Returns their number. */
export function deleteBelow(
  store: Store,
  signal: AbortSignal,
  value: string | Date,
  table: string,
  column: string,
  condition = 'true',
): Promise<number> {
  const places = `SELECT ctid FROM ${table} WHERE ${column} < $1 AND ${condition} ORDER BY ${column} LIMIT ${chunkRows}`;
  return deleteAt(store, signal, table, places, [value]);
}

/** Deletes the rows whose places a statement returns, at most `chunkRows` each time, until it returns fewer. Returns their number. */
export async function deleteAt(
  store: Store,
  signal: AbortSignal,
  table: string,
  places: string,
  parameters: readonly StoreParameter[],
): Promise<number> {
  // A plan that joins the places could scan the whole table.
  const sql = `WITH deleted AS (DELETE FROM ${table} WHERE ctid = ANY(ARRAY(${places})) RETURNING 1) SELECT count(*)::int AS rows FROM deleted`;
  for (let total = 0; ; ) {
    if (signal.aborted) return total;
    const [row] = await store.query<{ readonly rows: number }>(sql, parameters);
    const rows = row?.rows ?? 0;
    total += rows;
    if (rows < chunkRows) return total;
  }
}
