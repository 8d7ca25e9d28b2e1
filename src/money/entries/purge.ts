import { type Store, StoreUnavailableError } from '../../store/store';
import { times } from '../../times';
import { firstIdOf } from './entry-json';
import { deleteOldKeyUse } from './subject-index';

export interface Retention {
  readonly ledgerMonths: number;
  readonly subjectMonths: number;
}

/** Rows deleted by one statement. The number is small, so that readers and writers do not wait for it. */
const chunkRows = 2_000;
/** Months that the sums of days are kept. Budgets only need the sums of the current month. */
const summedMonths = 2;

export class Purge {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly store: Store,
    private readonly retention: Retention,
    private readonly now: () => Date,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  start({ first, every } = times.purge): void {
    this.timer = setTimeout(() => {
      this.running = this.run()
        .then(
          () => undefined,
          (error: unknown) => this.report(error),
        )
        .then(() => {
          if (!this.isStopped) this.start({ first: every, every });
        });
    }, first).unref();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
  }

  private report(error: unknown): void {
    if (!(error instanceof StoreUnavailableError)) this.onFailure(error);
  }

  /** Deletes everything that has expired. Returns the number of deleted entries, links and audit records. */
  async run(): Promise<number> {
    const { ledgerMonths, subjectMonths } = this.retention;
    const links = await this.deleteInChunks(deleteLinks, monthsBefore(this.now(), subjectMonths));
    const before = monthsBefore(this.now(), ledgerMonths);
    const entries = await this.deleteInChunks(deleteEntries, before);
    const records = await this.deleteInChunks(deleteRecords, before);
    await deleteOldKeyUse(this.store, before);
    // An entry may be written late, but those from before that time lose their links anyway.
    await this.store.query('DELETE FROM ledger_erasures WHERE at < $1', [monthsBefore(this.now(), subjectMonths)]);
    await this.store.query('DELETE FROM ledger_labels WHERE seen_at < $1::timestamptz', [before]);
    await this.store.query('DELETE FROM ledger_refusals WHERE at < $1::timestamptz', [before]);
    await this.store.query('DELETE FROM ledger_spend WHERE day < $1::timestamptz', [
      monthsBefore(this.now(), summedMonths),
    ]);
    return links + entries + records;
  }

  private async deleteInChunks(statement: string, before: Date): Promise<number> {
    for (let total = 0; ; ) {
      if (this.isStopped) return total;
      const [row] = await this.store.query<{ readonly rows: number }>(statement, [firstIdOf(before)]);
      const rows = row?.rows ?? 0;
      total += rows;
      if (rows < chunkRows) return total;
    }
  }
}

/** The chunk is materialized, because a limit within `IN ()` could be evaluated again for each row. */
const deleteLinks = `WITH chunk AS MATERIALIZED (SELECT s.hash, s.entry_id FROM ledger_subjects s WHERE s.entry_id < $1 LIMIT ${chunkRows}),
  deleted AS (DELETE FROM ledger_subjects s USING chunk WHERE s.hash = chunk.hash AND s.entry_id = chunk.entry_id RETURNING 1)
  SELECT count(*)::int AS rows FROM deleted`;

/** Deletes account by account, because the index orders entries only within an account. */
const deleteEntries = `WITH chunk AS MATERIALIZED (
    SELECT old.account, old.id FROM ledger_accounts() AS a(account) CROSS JOIN LATERAL (
      SELECT e.account, e.id FROM ledger_entries e WHERE e.account = a.account AND e.id < $1 ORDER BY e.id LIMIT ${chunkRows}
    ) old LIMIT ${chunkRows}),
  links AS (DELETE FROM ledger_subjects s USING chunk WHERE s.entry_id = chunk.id),
  deleted AS (DELETE FROM ledger_entries e USING chunk WHERE e.account = chunk.account AND e.id = chunk.id RETURNING 1)
  SELECT count(*)::int AS rows FROM deleted`;

const deleteRecords = `WITH chunk AS MATERIALIZED (SELECT account, id FROM ledger_audit WHERE id < $1 LIMIT ${chunkRows}),
  deleted AS (DELETE FROM ledger_audit a USING chunk WHERE a.account = chunk.account AND a.id = chunk.id RETURNING 1)
  SELECT count(*)::int AS rows FROM deleted`;

/** Runs a purge now and once an hour, until the timer is cleared. */
export function purgeHourly(run: () => Promise<unknown>, onFailure: (error: unknown) => void): NodeJS.Timeout {
  const purge = (): void => {
    run().catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) onFailure(error);
    });
  };
  purge();
  return setInterval(purge, times.purge.every);
}

/** Returns the same day and time some months earlier. If that month has no such day, returns its last day. */
export function monthsBefore(moment: Date, months: number): Date {
  const before = new Date(moment);
  before.setUTCDate(1);
  before.setUTCMonth(before.getUTCMonth() - months);
  const days = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 0)).getUTCDate();
  before.setUTCDate(Math.min(moment.getUTCDate(), days));
  return before;
}
