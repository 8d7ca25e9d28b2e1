import type { Subject } from '../../registry/endpoint/endpoint';
import type { SealedLinks } from '../../store/sealed-links';
import type { Store } from '../../store/store';
import { Calendar } from '../budgets/period';
import { csvLinkPurpose } from '../csv/csv-export';
import type { RunningCalls } from '../writing/running-calls';
import { readCursor, toCursor } from './cursor';
import { findEntries, readEntries, type Selection } from './entries';
import type {
  LedgerEntry,
  LedgerFilter,
  LedgerPage,
  LedgerQuery,
  LedgerReader,
  LedgerView,
  PageRequest,
  SettlementInput,
  Spend,
  SpendKey,
} from './ledger-api';
import { settleEntries } from './settle-entries';
import { sumEntries } from './sum-entries';

/** Lifetime of a link to a file. */
const csvLinkMs = 600_000;

export interface ReaderOptions {
  readonly store: Store;
  readonly links: SealedLinks;
  /** Path of the CSV file. */
  readonly csvPath: string;
  /** Returns the hashes of an identifier under all keys, as hexadecimal digits. */
  readonly hashSubject: (identifier: Subject) => readonly string[];
  /** Resolves when all entries of this process are in the store. */
  readonly flush: () => Promise<void>;
  readonly running: RunningCalls;
  /** IANA name of the time zone of days and months. */
  readonly timeZone: string;
  readonly now: () => Date;
}

/** Reader of the ledger for the graph. Its SQL works on PostgreSQL and on the embedded store. */
export class StoreLedgerReader implements LedgerReader {
  private readonly calendar: Calendar;

  constructor(private readonly options: ReaderOptions) {
    this.calendar = new Calendar(options.timeZone);
  }

  async page(view: LedgerView, query: LedgerQuery, { first, after }: PageRequest): Promise<LedgerPage> {
    const { store, flush } = this.options;
    const lastId = after === null ? null : readCursor(after);
    await flush();
    const found = await readEntries(store, this.toSelection(view, query), first + 1, lastId);
    const entries = found.slice(0, first);
    const last = entries.at(-1);
    return { entries, next: found.length > first && last !== undefined ? toCursor(last.id) : null };
  }

  async spend(view: LedgerView, filter: LedgerFilter, keys: readonly SpendKey[]): Promise<readonly Spend[]> {
    const { store, flush, timeZone } = this.options;
    await flush();
    return sumEntries(store, view, filter, keys, timeZone);
  }

  startOfDay(day: string): Date {
    return this.calendar.startOfDay(day);
  }

  async find(view: LedgerView, ids: readonly string[]): Promise<readonly LedgerEntry[]> {
    const { store, flush } = this.options;
    await flush();
    return findEntries(store, view, ids);
  }

  async settle(view: LedgerView, settlements: readonly SettlementInput[]): Promise<readonly string[]> {
    const { store, flush, now } = this.options;
    await flush();
    return settleEntries(store, view, settlements, now());
  }

  async eraseSubject({ accounts }: LedgerView, subjects: readonly Subject[], at: Date): Promise<number> {
    const { store, flush, running, hashSubject } = this.options;
    const hashes = subjects.flatMap(hashSubject);
    const calls = running.find(accounts, hashes, at);
    // Entries that are still waiting would otherwise not be counted.
    await flush();
    const parameters = [accounts, hashes, calls.ids, at];
    const [row] = await store.query<{ readonly entries: number }>(
      'SELECT ledger_erase($1, $2, $3, $4) AS entries',
      parameters,
    );
    calls.forget();
    return row?.entries ?? 0;
  }

  csvLink(view: LedgerView, query: LedgerQuery): string {
    const { csvPath, links } = this.options;
    return `${csvPath}?link=${links.create(csvLinkPurpose, csvLinkMs, this.toSelection(view, query))}`;
  }

  private toSelection(view: LedgerView, query: LedgerQuery): Selection {
    return 'filter' in query
      ? { view, filter: query.filter, links: null }
      : { view, filter: null, links: this.linksTo(query.subjects) };
  }

  private linksTo(subjects: readonly Subject[]) {
    return subjects.map((subject) => ({ kind: subject.kind, hashes: this.options.hashSubject(subject) }));
  }
}
