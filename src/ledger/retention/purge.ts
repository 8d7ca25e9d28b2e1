import { type Store, StoreUnavailableError } from '../../store/store';
import { firstIdOf } from '../entry-id';
import { forgetKeys } from '../rows/key-use';

/** Months that entries are kept, and months that links from people to entries are kept. */
export interface Retention {
  readonly ledgerMonths: number;
  readonly subjectMonths: number;
}

/** Soon after the start too: some processes live for less than an hour. */
const schedule = { firstMs: 60_000, everyMs: 3_600_000 };
/** Few enough that a slice holds up no reader and no writer. */
const sliceRows = 2_000;
/** Budgets need the sums of the present month only. */
const summedMonths = 2;

/** Deletes expired entries and links once an hour, in chunks. */
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

  start({ firstMs, everyMs } = schedule): void {
    this.timer = setTimeout(() => {
      this.running = this.run()
        .then(
          () => undefined,
          (error: unknown) => this.report(error),
        )
        .then(() => {
          if (!this.isStopped) this.start({ firstMs: everyMs, everyMs });
        });
    }, firstMs).unref();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
  }

  /** Reports an error. The next run deletes what is left. Other parts report an unavailable store. */
  private report(error: unknown): void {
    if (!(error instanceof StoreUnavailableError)) this.onFailure(error);
  }

  /** Gives how many rows went. */
  async run(): Promise<number> {
    const { ledgerMonths, subjectMonths } = this.retention;
    const links = await this.deleteSlices(deleteLinks, monthsBefore(this.now(), subjectMonths));
    const before = monthsBefore(this.now(), ledgerMonths);
    const entries = await this.deleteSlices(deleteEntries, before);
    const records = await this.deleteSlices(deleteRecords, before);
    await forgetKeys(this.store, before);
    await this.store.query('DELETE FROM ledger_spend WHERE day < $1::timestamptz', [
      monthsBefore(this.now(), summedMonths),
    ]);
    return links + entries + records;
  }

  private async deleteSlices(statement: string, before: Date): Promise<number> {
    for (let total = 0; ; ) {
      if (this.isStopped) return total;
      const [row] = await this.store.query<{ readonly rows: number }>(statement, [firstIdOf(before)]);
      const rows = row?.rows ?? 0;
      total += rows;
      if (rows < sliceRows) return total;
    }
  }
}

/** A materialized chunk: within `IN ()` the limit could be evaluated again for each row. */
const deleteLinks = `WITH slice AS MATERIALIZED (SELECT s.hash, s.entry_id FROM ledger_subjects s WHERE s.entry_id < $1 LIMIT ${sliceRows}),
  deleted AS (DELETE FROM ledger_subjects s USING slice WHERE s.hash = slice.hash AND s.entry_id = slice.entry_id RETURNING 1)
  SELECT count(*)::int AS rows FROM deleted`;

/** Account by account, each found by the one before it: entries are in order within their account, and only there. */
const deleteEntries = `WITH RECURSIVE accounts AS (
    (SELECT e.account FROM ledger_entries e ORDER BY e.account LIMIT 1)
    UNION ALL
    SELECT (SELECT e.account FROM ledger_entries e WHERE e.account > a.account ORDER BY e.account LIMIT 1)
    FROM accounts a WHERE a.account IS NOT NULL),
  slice AS MATERIALIZED (
    SELECT old.account, old.id FROM accounts a CROSS JOIN LATERAL (
      SELECT e.account, e.id FROM ledger_entries e WHERE e.account = a.account AND e.id < $1 ORDER BY e.id LIMIT ${sliceRows}
    ) old LIMIT ${sliceRows}),
  links AS (DELETE FROM ledger_subjects s USING slice WHERE s.entry_id = slice.id),
  deleted AS (DELETE FROM ledger_entries e USING slice WHERE e.account = slice.account AND e.id = slice.id RETURNING 1)
  SELECT count(*)::int AS rows FROM deleted`;

const deleteRecords = `WITH slice AS MATERIALIZED (SELECT account, id FROM ledger_audit WHERE id < $1 LIMIT ${sliceRows}),
  deleted AS (DELETE FROM ledger_audit a USING slice WHERE a.account = slice.account AND a.id = slice.id RETURNING 1)
  SELECT count(*)::int AS rows FROM deleted`;

/** The same moment some months before; of a day that the month lacks, the month's last. */
export function monthsBefore(moment: Date, months: number): Date {
  const before = new Date(moment);
  before.setUTCDate(1);
  before.setUTCMonth(before.getUTCMonth() - months);
  const days = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 0)).getUTCDate();
  before.setUTCDate(Math.min(moment.getUTCDate(), days));
  return before;
}
