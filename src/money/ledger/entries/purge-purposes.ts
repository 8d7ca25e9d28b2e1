import type { Store } from '../../../store/store';
import { firstIdOf, timeOf } from './entry-json';
import { chunkRows, type DeletedRows, deleteAt } from './purge';

/** Before which time the entries and the links of a purpose have expired. The purpose is null for all that have no months. */
export interface Retained {
  readonly purpose: string | null;
  readonly entries: Date;
  readonly links: Date;
  /** The same at the last purge. Null if the periods have changed since. */
  readonly entries_done: Date | null;
  readonly links_done: Date | null;
  readonly periods: string;
}

/** Condition of an entry without blocked links. An entry is kept as long as its links, also if the months of its purpose are fewer now. */
export const isUnblocked = '(SELECT b.entry_id FROM ledger_blocked b WHERE b.entry_id = e.id LIMIT 1) IS NULL';

/** Finds entries of a purpose account by account, because the index orders them only within an account. OFFSET 0: a plan that joins could scan. */
const expiredSql = `ledger_accounts() AS a(account) CROSS JOIN LATERAL (
    SELECT e.ctid, e.id, e.purpose FROM ledger_entries e WHERE e.account = a.account AND e.id >= $1 AND e.id < $2 ORDER BY e.id OFFSET 0) e`;
const ofPurposeSql = `CASE WHEN $3::text IS NULL THEN e.purpose IS NULL OR e.purpose <> ALL($4) ELSE e.purpose = $3 END LIMIT ${chunkRows}`;
const expiredEntries = `SELECT e.ctid FROM ${expiredSql} WHERE ${isUnblocked} AND ${ofPurposeSql}`;
const expiredLinks = `SELECT s.ctid FROM ${expiredSql} CROSS JOIN LATERAL (
    SELECT s.ctid FROM ledger_subjects s WHERE s.entry_id = e.id OFFSET 0) s WHERE ${ofPurposeSql}`;

const firstEntrySql = `SELECT min(first.id) AS id FROM ledger_accounts() AS a(account) CROSS JOIN LATERAL (
  SELECT e.id FROM ledger_entries e WHERE e.account = a.account ORDER BY e.id LIMIT 1) first`;

const dayMs = 86_400_000;
/** Age below which a question may be linked to the entry of a kept answer: more than `REUSE_DAYS` and `KEEP_DAYS` allow. */
const linkableMs = 400 * dayMs;
const dayOf = (date: Date): number => Math.floor(date.getTime() / dayMs);

/**
 * Deletes the expired entries and links of each purpose. It looks at what has expired since the last purge, because the index does not order
 * entries by purpose. Once a day it also looks at entries that may have got a link after they had expired.
 */
export async function purgePurposes(
  store: Store,
  signal: AbortSignal,
  all: readonly Retained[],
  now: Date,
): Promise<DeletedRows> {
  const deleted: Record<string, number> = {};
  const named = all.flatMap(({ purpose }) => purpose ?? []);
  const [{ id } = { id: null }] = await store.query<{ readonly id: string | null }>(firstEntrySql);
  const first = id === null ? now : timeOf(id);
  for (const { purpose, entries, links, entries_done, links_done } of all) {
    const isLinkable = links_done !== null && dayOf(links_done) < dayOf(links);
    const linkable = new Date(isLinkable ? Math.min(links_done.getTime(), now.getTime() - linkableMs) : 0);
    const linksFrom = isLinkable ? linkable : (links_done ?? first);
    for (const [table, places, from, before] of [
      ['ledger_subjects', expiredLinks, linksFrom, links],
      ['ledger_entries', expiredEntries, entries_done ?? first, entries],
    ] as const)
      for (let time = Math.max(from.getTime(), first.getTime()), days = 1; time < before.getTime(); ) {
        const end = Math.min(time + days * dayMs, before.getTime());
        const range = [time, end].map((moment) => firstIdOf(new Date(moment)));
        const rows = await deleteAt(store, signal, table, places, [...range, purpose, named]);
        for (const name of purpose === null ? [table] : [table, `${table} of ${purpose}`])
          deleted[name] = (deleted[name] ?? 0) + rows;
        // A statement reads the entries of 64 days at most, and of one after much has been deleted.
        [time, days] = [end, rows < chunkRows ? Math.min(2 * days, 64) : 1];
      }
  }
  const done = `INSERT INTO ledger_purged VALUES ($1, $2) ON CONFLICT (is_only) DO UPDATE SET periods = excluded.periods, at = excluded.at`;
  if (!signal.aborted) await store.query(done, [all[0]?.periods ?? '', now]);
  return deleted;
}
