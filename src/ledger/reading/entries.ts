import type { SubjectKind } from '../../registry/endpoint/endpoint';
import type { Store } from '../../store/store';
import { addFilter, type Conditions, withinView } from './conditions';
import { queryEntries } from './entry-rows';
import type { LedgerEntry, LedgerFilter, LedgerView } from './ledger-api';

/** Hashes of an identifier under all keys. They find the entries that are linked to it. */
export interface SubjectLink {
  readonly kind: SubjectKind;
  /** Hexadecimal digits. */
  readonly hashes: readonly string[];
}

/** Selection of entries: those that match a filter, or those linked to one of several identifiers. It contains hashes of identifiers. */
export interface Selection {
  readonly view: LedgerView;
  readonly filter: LedgerFilter | null;
  readonly links: readonly SubjectLink[] | null;
}

/** Returns entries, newest first. `after` is the ID of the last entry of the previous page. */
export async function readEntries(
  store: Store,
  selection: Selection,
  limit: number,
  after: string | null,
): Promise<readonly LedgerEntry[]> {
  const isByFilter = selection.links === null;
  const conditions = isByFilter ? conditionsOf(selection, 'a.name') : conditionsOf(selection);
  if (after !== null) conditions.add(`e.id < ${conditions.parameter(after)}`);
  const newest = `WHERE ${conditions.sql} ORDER BY e.id DESC LIMIT ${limit}`;
  // Reads each name of the account separately, in the order of the index. A query for all names at once would sort all entries.
  const source = isByFilter
    ? `unnest($1::text[]) AS a(name) CROSS JOIN LATERAL (SELECT * FROM ledger_entries e ${newest}) e ORDER BY e.id DESC LIMIT ${limit}`
    : `ledger_entries e ${newest}`;
  return queryEntries(store, source, conditions.parameters);
}

/** Counts the entries of a selection, up to `max`. */
export async function countEntries(store: Store, selection: Selection, max: number): Promise<number> {
  const conditions = conditionsOf(selection);
  const [row] = await store.read<{ readonly count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM ledger_entries e WHERE ${conditions.sql} LIMIT ${max + 1}) s`,
    conditions.parameters,
  );
  return row?.count ?? 0;
}

export async function findEntries(
  store: Store,
  view: LedgerView,
  ids: readonly string[],
): Promise<readonly LedgerEntry[]> {
  const conditions = withinView(view);
  conditions.add(`e.id = ANY(${conditions.parameter(ids.filter(isPlainId))})`);
  return queryEntries(store, `ledger_entries e WHERE ${conditions.sql}`, conditions.parameters);
}

/** Whether a text can be the ID of an entry. Other texts may contain NUL, which PostgreSQL rejects. */
export const isPlainId = (id: string): boolean => /^[0-9A-Z]{1,64}$/.test(id);

function conditionsOf({ view, filter, links }: Selection, account?: string): Conditions {
  const conditions = withinView(view, account);
  if (filter !== null) addFilter(conditions, filter);
  if (links !== null)
    conditions.add(`e.id IN (SELECT s.entry_id FROM ledger_subjects s WHERE ${linkedTo(conditions, links)})`);
  return conditions;
}

/** Returns the condition that the link `s` is to one of the identifiers, under any key. */
function linkedTo(conditions: Conditions, links: readonly SubjectLink[]): string {
  const anyOf = links.map(({ kind, hashes }) => {
    const bytes = hashes.map((hash) => `decode(${conditions.parameter(hash)}, 'hex')`);
    return `(s.kind = ${conditions.parameter(kind)} AND s.hash IN (${bytes.join(', ')}))`;
  });
  return `(${anyOf.join(' OR ')})`;
}
