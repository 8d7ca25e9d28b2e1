import type { Store } from '../../../store/store';
import { firstIdOf } from './entry-json';
import { chunkRows, type DeletedRows, deleteBelow } from './purge';

/** Before which time the entries and the links of a purpose have expired. The purpose is null for all that have no months. */
export interface Retained {
  readonly purpose: string | null;
  readonly entries: Date;
  readonly links: Date;
  /** Before which time they had expired at the last purge. Null if the periods have changed since. */
  readonly entries_done: Date | null;
  readonly links_done: Date | null;
  readonly periods: string;
}

/** Condition of an entry without blocked links. An entry is kept as long as its links, also if the months of its purpose are fewer now. */
export const isUnblocked = '(SELECT b.entry_id FROM ledger_blocked b WHERE b.entry_id = e.id LIMIT 1) IS NULL';

type Table = 'ledger_subjects' | 'ledger_entries';

/** Deletes expired rows of the next entries of an account, and counts them by purpose. */
const chunkSql = (deleted: string): string => `WITH next AS MATERIALIZED (
    SELECT e.id, e.purpose FROM ledger_entries e WHERE e.account = $1 AND e.id > $2 AND e.id < $3 ORDER BY e.id LIMIT ${chunkRows}
  ), expired AS MATERIALIZED (
    SELECT n.id, n.purpose FROM next n WHERE CASE WHEN $4::text IS NULL THEN n.purpose IS NULL OR n.purpose <> ALL($5) ELSE n.purpose = $4 END
  ), deleted AS (${deleted})
  SELECT (SELECT max(n.id) FROM next n) AS last, x.purpose, count(d.id)::int AS rows
  FROM (SELECT NULL) AS always LEFT JOIN deleted d ON true LEFT JOIN expired x ON x.id = d.id GROUP BY x.purpose`;

const ids = 'ANY(ARRAY(SELECT x.id FROM expired x))';
const statements: Readonly<Record<Table, string>> = {
  ledger_subjects: chunkSql(`DELETE FROM ledger_subjects s WHERE s.entry_id = ${ids} RETURNING s.entry_id AS id`),
  ledger_entries: chunkSql(`DELETE FROM ledger_entries e WHERE e.account = $1 AND e.id = ${ids}
    AND ${isUnblocked} RETURNING e.id`),
};

interface Chunk {
  readonly last: string | null;
  readonly purpose: string | null;
  readonly rows: number;
}

/**
 * Deletes the blocked links whose period has ended, and the expired entries and links of each purpose. It looks at the entries that have expired
 * since the last purge, because the index does not order them by purpose. Without a purpose with months, the caller deletes all by their IDs.
 */
export async function purgePurposes(
  store: Store,
  signal: AbortSignal,
  all: readonly Retained[],
  now: Date,
): Promise<DeletedRows> {
  const deleted = new Map<string, number>();
  const add = (table: string, { purpose, rows }: Pick<Chunk, 'purpose' | 'rows'>): void => {
    for (const name of [table, ...(purpose === null ? [] : [`${table} of ${purpose}`])])
      deleted.set(name, (deleted.get(name) ?? 0) + rows);
  };
  const ended = 'SELECT purpose, count(*)::int AS rows FROM ledger_blocked WHERE until < $1 GROUP BY 1';
  for (const counted of await store.query<Chunk>(ended, [now])) add('ledger_blocked', counted);
  await deleteBelow(store, signal, now, 'ledger_blocked', 'until');
  if (all.length < 2) return Object.fromEntries(deleted);
  const accounts = await store.query<{ readonly account: string }>('SELECT ledger_accounts() AS account');
  const named = all.flatMap(({ purpose }) => purpose ?? []);
  for (const { account } of accounts)
    for (const { table, purpose, from, before } of all.flatMap((retained) => windowsOf(retained, now)))
      for (let after: string | null = from; after !== null && !signal.aborted; ) {
        const chunks: readonly Chunk[] = await store.query<Chunk>(statements[table], [
          account,
          after,
          before,
          purpose,
          named,
        ]);
        for (const chunk of chunks) add(table, chunk);
        after = chunks[0]?.last ?? null;
      }
  const done = `INSERT INTO ledger_purged VALUES ($1, $2) ON CONFLICT (is_only) DO UPDATE SET periods = excluded.periods, at = excluded.at`;
  if (!signal.aborted) await store.query(done, [all[0]?.periods ?? '', now]);
  return Object.fromEntries(deleted);
}

/** A range of IDs of entries, whose rows in the table are deleted if they are of the purpose. */
interface Window {
  readonly table: Table;
  readonly purpose: string | null;
  readonly from: string;
  readonly before: string;
}

const dayMs = 86_400_000;
/** Age below which a question may be linked to the entry of a kept answer: more than `REUSE_DAYS` and `KEEP_DAYS` allow. */
const linkableMs = 400 * dayMs;

/** Returns what has expired since the last purge. Once a day it includes the entries that may have got a link after they had expired. */
function windowsOf({ purpose, ...times }: Retained, now: Date): readonly Window[] {
  const { links, entries, links_done, entries_done } = times;
  const dayOf = (date: Date | null): number | null => date && Math.floor(date.getTime() / dayMs);
  const linkable = new Date(now.getTime() - linkableMs);
  const isFirstOfDay = dayOf(links) !== dayOf(links_done);
  const linksFrom = isFirstOfDay && links_done !== null && linkable < links_done ? linkable : links_done;
  const idOf = (date: Date | null): string => (date === null ? '' : firstIdOf(date));
  return [
    { table: 'ledger_subjects', purpose, from: idOf(linksFrom), before: firstIdOf(links) },
    { table: 'ledger_entries', purpose, from: idOf(entries_done), before: firstIdOf(entries) },
  ];
}
