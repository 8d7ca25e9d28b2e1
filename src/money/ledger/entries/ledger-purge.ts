import type { Store } from '../../../store/store';
import { firstIdOf, timeOf } from './entry-json';
import { chunkRows, type DeletedRows, deleteAt, deleteBelow } from './purge';
import { isUnblocked, purgePurposes, type Retained } from './purge-purposes';

export interface Retention {
  readonly ledgerMonths: number;
  readonly subjectMonths: number;
  /** Day of the newest entry or link that a purge of the embedded store may delete, although none is left then. */
  readonly confirmedDay: string | null;
  /** The purposes of this process with their months: `hiring,credit:120`. */
  readonly purposes?: string | null;
}

/** The first row has the purposes without months. The sums of days are only needed for a month. */
const boundsSql = `SELECT r.*, min(r.entries) OVER () AS longest, min(r.links) OVER () AS linked, now() AS now, now() - interval '2 months' AS sums,
  now() - interval '2 days' AS minutes FROM ledger_retention($1, $2, $3) r ORDER BY r.purpose NULLS FIRST`;
interface Bounds extends Retained, Readonly<Record<'longest' | 'linked' | 'now' | 'sums' | 'minutes', Date>> {}

const newestSql = `SELECT (SELECT max(s.entry_id) FROM ledger_subjects s) AS links, (SELECT max(last.id) FROM ledger_accounts() AS a(account)
  CROSS JOIN LATERAL (SELECT e.id FROM ledger_entries e WHERE e.account = a.account ORDER BY e.id DESC LIMIT 1) last) AS entries`;

/** Counts the blocked links whose period has ended, by purpose and in all. */
const endedSql = `SELECT 'ledger_blocked' || coalesce(' of ' || purpose, '') AS name, count(*)::int AS rows FROM ledger_blocked WHERE until < $1
  GROUP BY GROUPING SETS ((), (purpose))`;
type Ended = Readonly<{ name: string; rows: number }>;

const isUnusedKey = `(SELECT b.key_version FROM ledger_blocked b WHERE b.key_version >= ledger_keys.id ORDER BY b.key_version LIMIT 1)
  IS DISTINCT FROM ledger_keys.id`;

/** Finds entries account by account, because the index orders them only within an account. */
const oldEntries = `SELECT old.ctid FROM ledger_accounts() AS a(account) CROSS JOIN LATERAL (
  SELECT e.ctid FROM ledger_entries e WHERE e.account = a.account AND e.id < $1 AND ${isUnblocked} ORDER BY e.id LIMIT ${chunkRows}) old LIMIT ${chunkRows}`;

/**
 * Deletes expired entries, links, audit records and what belongs to them. The embedded store has no second clock that would show that its own is
 * wrong: if the newest entry or the newest link is older than a period, nothing is deleted until an operator has confirmed it, and `onHeld` gets the
 * day to confirm.
 */
export async function purgeLedger(
  store: Store,
  signal: AbortSignal,
  { ledgerMonths, subjectMonths, confirmedDay, purposes = null }: Retention,
  onHeld: (newestDay: string) => void,
): Promise<DeletedRows> {
  const [bounds, ...named] = await store.query<Bounds>(boundsSql, [ledgerMonths, subjectMonths, purposes]);
  if (bounds === undefined) return {};
  const all = [bounds, ...named] as const;
  const newestDay = store.engine === 'embedded' ? await findExpiredDay(store, all) : '';
  if (newestDay > (confirmedDay ?? '')) {
    onHeld(newestDay);
    return {};
  }
  const { longest, now } = bounds;
  const below = (value: string | Date, table: string, column: string, condition?: string) =>
    deleteBelow(store, signal, value, table, column, condition);
  const blocked = await store.query<Ended>(endedSql, [now]);
  await below(now, 'ledger_blocked', 'until');
  const ofPurposes = all.length === 1 ? {} : await purgePurposes(store, signal, all, now);
  const links = await below(firstIdOf(bounds.linked), 'ledger_subjects', 'entry_id');
  const entries = await deleteAt(store, signal, 'ledger_entries', oldEntries, [firstIdOf(longest)]);
  return {
    ...ofPurposes,
    ...Object.fromEntries(blocked.map(({ name, rows }) => [name, rows])),
    ledger_subjects: links + (ofPurposes.ledger_subjects ?? 0),
    ledger_entries: entries + (ofPurposes.ledger_entries ?? 0),
    // The record of an erasure is kept as long as the links that it has blocked.
    ledger_audit: await below(firstIdOf(longest), 'ledger_audit', 'id'),
    // The entries that were written with a key that was last used before have expired too, unless the months of their purpose are fewer now.
    ledger_keys: await below(longest, 'ledger_keys', 'used_at', isUnusedKey),
    // An entry may be written late, but those from before that time lose their links anyway.
    ledger_erasures: await below(bounds.linked, 'ledger_erasures', 'at'),
    ledger_labels: await below(longest, 'ledger_labels', 'seen_at'),
    ledger_refusals: await below(bounds.entries, 'ledger_refusals', 'at'),
    ledger_spend: await below(bounds.sums, 'ledger_spend', 'day'),
    ledger_minutes: await below(bounds.minutes, 'ledger_minutes', 'minute'),
    ledger_events: await below(bounds.entries, 'ledger_events', 'at', `state <> 'PENDING'`),
  };
}

/** Returns the day of the newest entry or link if it is older than the shortest period of any purpose, otherwise an empty text. */
async function findExpiredDay(store: Store, all: readonly Bounds[]): Promise<string> {
  const [newest] = await store.query<Readonly<Record<'links' | 'entries', string | null>>>(newestSql);
  const days = (['links', 'entries'] as const).map((kind) => {
    const [id, before] = [newest?.[kind] ?? null, Math.max(...all.map((bounds) => bounds[kind].getTime()))];
    return id !== null && id < firstIdOf(new Date(before)) ? timeOf(id).toISOString().slice(0, 10) : '';
  });
  return days.sort().at(-1) ?? '';
}
