import type { Subject } from '../../registry/endpoint/endpoint';
import type { SealedLinks } from '../../store/sealed-links';
import type { Store } from '../../store/store';
import { csvPlace } from '../csv/csv-export';
import { readCursor, toCursor } from './cursor';
import { findEntries, readEntries, type Selection } from './entries';
import { eraseLinks } from './erase';
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
} from './port';
import { settleEntries } from './settle';
import { sumEntries } from './spend';

/** Lifetime of a link to a file. */
const csvLinkMs = 600_000;

/** Dependencies of the reader. */
export interface ReaderOptions {
  readonly store: Store;
  readonly links: SealedLinks;
  /** The path of the file behind a link. */
  readonly csvPath: string;
  /** The blind index of an identifier under each key that there was, in hexadecimal digits. */
  readonly hashSubject: (identifier: Subject) => readonly string[];
  /** Resolves when earlier entries are in the store, as far as it is available. */
  readonly flush: () => Promise<void>;
  /** An IANA name: days and months are those of it. */
  readonly timeZone: string;
  readonly now: () => Date;
}

/** The ledger as the graph reads it, in one dialect for both engines. */
export class StoreLedgerReader implements LedgerReader {
  constructor(private readonly options: ReaderOptions) {}

  async page(view: LedgerView, query: LedgerQuery, { first, after }: PageRequest): Promise<LedgerPage> {
    const { store, flush } = this.options;
    const lastId = after === null ? null : readCursor(after);
    await flush();
    const found = await readEntries(store, this.select(view, query), first + 1, lastId);
    const entries = found.slice(0, first);
    const last = entries.at(-1);
    return { entries, next: found.length > first && last !== undefined ? toCursor(last.id) : null };
  }

  async spend(view: LedgerView, filter: LedgerFilter, keys: readonly SpendKey[]): Promise<readonly Spend[]> {
    const { store, flush, timeZone } = this.options;
    await flush();
    return sumEntries(store, view, filter, keys, timeZone);
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

  async eraseSubject(view: LedgerView, subjects: readonly Subject[]): Promise<number> {
    const { store, flush } = this.options;
    // What waits to be written would come after.
    await flush();
    return eraseLinks(store, view, this.link(subjects));
  }

  csvLink(view: LedgerView, query: LedgerQuery): string {
    const { csvPath, links } = this.options;
    return `${csvPath}?link=${links.create(csvPlace, csvLinkMs, this.select(view, query))}`;
  }

  private select(view: LedgerView, query: LedgerQuery): Selection {
    return 'filter' in query
      ? { view, filter: query.filter, links: null }
      : { view, filter: null, links: this.link(query.subjects) };
  }

  private link(subjects: readonly Subject[]) {
    return subjects.map((subject) => ({ kind: subject.kind, hashes: this.options.hashSubject(subject) }));
  }
}
