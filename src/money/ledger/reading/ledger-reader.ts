import type { Subject } from '../../../registry/endpoint/endpoint';
import type { SealedLinks } from '../../../store/sealed-box';
import type { Store } from '../../../store/store';
import {
  abandonedAfterMs,
  addFilter,
  linksOf,
  readCursor,
  savedUnits,
  sharedAnswerSql,
  toCursor,
  uncertainUnits,
  withinView,
} from '../entries/conditions';
import {
  type LedgerEntry,
  type LedgerFilter,
  type LedgerPage,
  type LedgerQuery,
  type LedgerView,
  type PageRequest,
  type SettlementInput,
  type Spend,
  type SpendKey,
  spendKeys,
  TooManySumsError,
} from '../entries/ledger-api';
import { Calendar } from '../entries/period';
import type { IndexedText, SubjectIndex } from '../entries/subject-index';
import { csvLinkPurpose, csvPath } from './csv-export';
import { type EntrySource, findEntries, isPlainId, readEntries, type Selection } from './entries';
import { createLastDay } from './last-day';
import { findOtherIdentifiers, type OtherIdentifier } from './other-identifiers';

const csvLinkMs = 600_000;

export interface ReaderOptions extends EntrySource {
  readonly links: SealedLinks;
  readonly subjects: Pick<SubjectIndex, 'hashes' | 'openReference' | 'missingKeys'>;
  readonly flush: () => Promise<void>;
  /** Erases a person from the entries and from the answers that are kept. Returns the number of entries. */
  readonly erase: (accounts: readonly string[], hashes: readonly string[], moment: Date) => Promise<number>;
  readonly timeZone: string;
  readonly now: () => Date;
}

interface BlockedEntries {
  readonly entries: number;
  readonly until: Date | null;
}

export class LedgerReader {
  readonly lastDay: ReturnType<typeof createLastDay>;
  private readonly calendar: Calendar;

  constructor(private readonly options: ReaderOptions) {
    this.lastDay = createLastDay(options.store, options.now, options.flush);
    this.calendar = new Calendar(options.timeZone);
  }

  async page(view: LedgerView, query: LedgerQuery, { first, after }: PageRequest): Promise<LedgerPage> {
    const { flush } = this.options;
    const lastId = after === null ? null : readCursor(after);
    await flush();
    const found = await readEntries(this.options, this.toSelection(view, query), first + 1, lastId);
    const entries = found.slice(0, first);
    const last = entries.at(-1);
    return { entries, next: found.length > first && last !== undefined ? toCursor(last.id) : null };
  }

  /** Returns the SHA-256 of the answers to entries, by their IDs. Entries without an answer, or without links to a person, have none. */
  async answerHashes(
    ids: readonly string[],
    view: Pick<LedgerView, 'seesBlocked'> = {},
  ): Promise<ReadonlyMap<string, string | null>> {
    const { store, subjects } = this.options;
    const rows = await store.read<Readonly<Record<'id' | 'key' | 'sealed', string>>>(
      `SELECT entry_id AS id, key_version AS key, encode(sealed, 'hex') AS sealed FROM ${linksOf(view)} s WHERE entry_id = ANY($1) AND kind = 'answer'`,
      [ids],
    );
    const open = (id: string, key: string, sealed: string) =>
      subjects.openReference(`${id} answer`, key, Buffer.from(sealed, 'hex'));
    return new Map(rows.map(({ id, key, sealed }) => [id, open(id, key, sealed)]));
  }

  async spend(view: LedgerView, filter: LedgerFilter, keys: readonly SpendKey[]): Promise<readonly Spend[]> {
    const { store, flush, timeZone } = this.options;
    await flush();
    return sumEntries(store, view, filter, keys, timeZone);
  }

  /** Returns the first moment of a calendar day in the time zone of days and months. The day is written as YYYY-MM-DD. */
  startOfDay(day: string): Date {
    return this.calendar.startOfDay(day);
  }

  hashesOf(text: IndexedText): readonly string[] {
    return this.options.subjects.hashes(text);
  }

  /** Returns the IDs of keys under which the ledger has links, and that this process lacks: no search and no erasure finds those links. */
  async missingKeys({ seesBlocked = false }: Pick<LedgerView, 'seesBlocked'> = {}): Promise<readonly string[]> {
    const tables = seesBlocked ? (['ledger_subjects', 'ledger_blocked'] as const) : (['ledger_subjects'] as const);
    const { subjects, store } = this.options;
    return [...new Set((await Promise.all(tables.map((table) => subjects.missingKeys(store, table)))).flat())];
  }

  /** Returns the entries in any order. Unknown and invisible entries are left out. */
  async find(view: LedgerView, ids: readonly string[]): Promise<readonly LedgerEntry[]> {
    await this.options.flush();
    return findEntries(this.options, view, ids);
  }

  /**
   * Settles all calls or none. Returns the IDs that cannot be settled, because they are not UNKNOWN calls of the view. If it returns
   * any, no call is settled.
   */
  async settle(view: LedgerView, settlements: readonly SettlementInput[]): Promise<readonly string[]> {
    const { store, flush, now } = this.options;
    await flush();
    return settleEntries(store, view, settlements, now());
  }

  /**
   * Deletes or blocks all links of the account's entries about the person or employer, whatever the client of the view. Requests that began
   * before `at` add no new ones. Returns the number of these entries, including those of calls that are under way.
   */
  async eraseSubject({ accounts }: LedgerView, subjects: readonly Subject[], at: Date): Promise<number> {
    const hashes = subjects.flatMap((subject) => this.hashesOf(subject));
    // Entries that are still waiting would otherwise not be counted.
    await this.options.flush();
    return this.options.erase(accounts, hashes, at);
  }

  /** Returns the number of the person's entries whose links are blocked, and when the last of these links are deleted. */
  async findBlocked({ accounts }: LedgerView, subjects: readonly Subject[]): Promise<BlockedEntries> {
    const [row] = await this.options.store.query<BlockedEntries>(
      `SELECT count(DISTINCT b.entry_id)::int AS entries, max(b.until) AS until FROM ledger_blocked b JOIN ledger_entries e ON e.id = b.entry_id
      WHERE e.account = ANY($1) AND b.until > now() AND b.hash = ANY(ARRAY(SELECT decode(h.hash, 'hex') FROM unnest($2::text[]) AS h(hash)))`,
      [accounts, subjects.flatMap((subject) => this.hashesOf(subject))],
    );
    return row ?? { entries: 0, until: null };
  }

  /** Returns the identifiers of the person that `subjects` lacks, with the entries that only they would find. */
  async otherIdentifiers(
    view: LedgerView,
    subjects: readonly Subject[],
    filter: LedgerFilter | null,
  ): Promise<readonly OtherIdentifier[]> {
    await this.options.flush();
    const links = this.linksTo(subjects);
    return findOtherIdentifiers(this.options.store, { view, filter, links }, links);
  }

  csvLink(view: LedgerView, query: LedgerQuery): string {
    return `${csvPath}?link=${this.options.links.create(csvLinkPurpose, csvLinkMs, this.toSelection(view, query))}`;
  }

  private toSelection(view: LedgerView, query: LedgerQuery): Selection {
    const { filter = null, subjects = null } = query;
    return { view, filter, links: subjects === null ? null : this.linksTo(subjects) };
  }

  private linksTo(subjects: readonly Subject[]) {
    return subjects.map((subject) => ({ kind: subject.kind, hashes: this.hashesOf(subject) }));
  }
}

/**
 * Settles the entries in one statement, so that neither a lost acknowledgement nor a concurrent settlement leaves only some of them settled.
 * Repeating a settlement changes nothing, not even its time.
 */
async function settleEntries(
  store: Store,
  view: LedgerView,
  settlements: readonly SettlementInput[],
  now: Date,
): Promise<readonly string[]> {
  const malformed = settlements.filter(({ id }) => !isPlainId(id)).map(({ id }) => id);
  if (malformed.length > 0) return malformed;
  const conditions = withinView(view);
  const wanted = `jsonb_to_recordset(${conditions.parameter(JSON.stringify(settlements))}::jsonb) AS w(id text, billing text, note text)`;
  const settledAt = conditions.parameter(now);
  conditions.add(`(e.outcome <> 'OPEN' OR e.at < ${conditions.parameter(new Date(now.getTime() - abandonedAfterMs))})`);
  const rows = await store.query<{ readonly id: string }>(
    `WITH wanted AS MATERIALIZED (SELECT w.* FROM (SELECT ledger_lock($1::text[])) AS locked, ${wanted}),
      refused AS MATERIALIZED (
        SELECT w.id FROM wanted w WHERE NOT EXISTS (
          SELECT 1 FROM ledger_entries e WHERE e.id = w.id AND e.billing = 'UNKNOWN' AND ${conditions.sql})),
      settled AS (
        UPDATE ledger_entries e SET settled_billing = w.billing, settled_note = w.note, settled_at = ${settledAt},
          settled_units = CASE WHEN w.billing = 'CHARGED' THEN e.price ELSE 0 END
        FROM wanted w
        WHERE e.id = w.id AND ${conditions.sql} AND NOT EXISTS (SELECT 1 FROM refused)
          AND (e.settled_billing IS DISTINCT FROM w.billing OR e.settled_note IS DISTINCT FROM w.note))
    SELECT id FROM refused`,
    conditions.parameters,
  );
  return rows.map(({ id }) => id);
}

const maxSums = 5_000;

/** Returns a sum for each combination of the keys' values, sorted by the keys in the given order. Without keys, returns one sum. */
async function sumEntries(
  store: Store,
  view: LedgerView,
  filter: LedgerFilter,
  keys: readonly SpendKey[],
  timeZone: string,
): Promise<readonly Spend[]> {
  const conditions = withinView(view);
  addFilter(conditions, filter, view);
  const zone = keys.some((key) => key === 'DAY' || key === 'MONTH') ? conditions.parameter(timeZone) : '';
  const columns = spendKeys.map((key) => `${keys.includes(key) ? expressionOf(key, zone) : 'NULL'} AS ${key}`);
  // Groups by position: PostgreSQL does not treat two expressions with the same parameter as equal.
  const positions = keys.map((key) => spendKeys.indexOf(key) + 1).join(', ');
  const grouping = keys.length === 0 ? '' : `GROUP BY ${positions} ORDER BY ${positions}`;
  // Refusals only have a day and a client.
  const [rows, refused] = keys.every((key) => key === 'DAY' || key === 'MONTH' || key === 'CLIENT')
    ? [withRefusals, 'coalesce(sum(e.refused), 0)::float8']
    : ['ledger_entries', 'NULL'];
  const sql = `SELECT ${[...columns, ...sums].join(', ')}, ${refused} AS "refusedCalls" FROM ${rows} e WHERE ${conditions.sql} ${grouping}`;
  const found = await store.read<Spend>(`${sql} LIMIT ${maxSums + 1}`, conditions.parameters);
  if (found.length > maxSums) throw new TooManySumsError(maxSums);
  return found;
}

const sums = [
  // Shared answers are not calls, nor are refusals.
  `count(*) FILTER (WHERE NOT ${sharedAnswerSql} AND e.outcome <> 'REFUSED')::int AS calls`,
  'coalesce(sum(coalesce(e.settled_units, e.units)), 0)::float8 AS units',
  `coalesce(sum(${uncertainUnits}), 0)::float8 AS "uncertainUnits"`,
  `coalesce(sum(${savedUnits}), 0)::float8 AS "savedUnits"`,
];

const withRefusals = '(SELECT *, 0::int8 AS refused FROM ledger_entries UNION ALL SELECT * FROM ledger_refusals)';

function expressionOf(key: SpendKey, zone: string): string {
  if (key === 'DAY') return `to_char(e.at AT TIME ZONE ${zone}, 'YYYY-MM-DD')`;
  if (key === 'MONTH') return `to_char(e.at AT TIME ZONE ${zone}, 'YYYY-MM')`;
  // A refusal by the rate limit is one of the ends that a price list names.
  if (key === 'OUTCOME')
    return `CASE WHEN e.status = 429 AND e.problem = 'RATE_LIMITED' THEN 'RATE_LIMITED' ELSE e.outcome END`;
  return key === 'BATCH' ? 'e.batch_id' : `e.${key.toLowerCase()}`;
}
