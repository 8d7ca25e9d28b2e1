import type { SubjectKind } from '../../registry/endpoint/endpoint';
import type { Store } from '../../store/store';
import { addFilter, type Conditions, withinView } from './conditions';
import { type EntryRow, entryColumns, toEntry } from './entry-rows';
import type { LedgerEntry, LedgerFilter, LedgerView } from './port';

/** The blind index of an identifier, under each key that there was. */
export interface SubjectLink {
  readonly kind: SubjectKind;
  /** In hexadecimal digits. */
  readonly hashes: readonly string[];
}

/** Which entries: of a filter, or linked to one of the identifiers. Holds no identifier any more. */
export interface Selection {
  readonly view: LedgerView;
  readonly filter: LedgerFilter | null;
  readonly links: readonly SubjectLink[] | null;
}

/** Entries, newest first, after the one with the id. */
export async function readEntries(
  store: Store,
  selection: Selection,
  limit: number,
  after: string | null,
): Promise<readonly LedgerEntry[]> {
  const conditions = conditionsOf(selection);
  if (after !== null) conditions.add(`e.id < ${conditions.parameter(after)}`);
  const rows = await store.query<EntryRow>(
    `SELECT ${entryColumns} FROM ledger_entries e WHERE ${conditions.sql} ORDER BY e.id DESC LIMIT ${limit}`,
    conditions.parameters,
  );
  return rows.map(toEntry);
}

/** How many there are; beyond `max` it does not count on. */
export async function countEntries(store: Store, selection: Selection, max: number): Promise<number> {
  const conditions = conditionsOf(selection);
  const [row] = await store.query<{ readonly count: number }>(
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
  const rows = await store.query<EntryRow>(
    `SELECT ${entryColumns} FROM ledger_entries e WHERE ${conditions.sql}`,
    conditions.parameters,
  );
  return rows.map(toEntry);
}

/** PostgreSQL takes no NUL, and no entry has a longer id. */
export const isPlainId = (id: string): boolean => /^[0-9A-Z]{1,64}$/.test(id);

export function conditionsOf({ view, filter, links }: Selection): Conditions {
  const conditions = withinView(view);
  if (filter !== null) addFilter(conditions, filter);
  if (links !== null)
    conditions.add(`e.id IN (SELECT s.entry_id FROM ledger_subjects s WHERE ${linkedTo(conditions, links)})`);
  return conditions;
}

/** Links by any of the identifiers, under any of the keys. */
export function linkedTo(conditions: Conditions, links: readonly SubjectLink[]): string {
  const anyOf = links.map(({ kind, hashes }) => {
    const bytes = hashes.map((hash) => `decode(${conditions.parameter(hash)}, 'hex')`);
    return `(s.kind = ${conditions.parameter(kind)} AND s.hash IN (${bytes.join(', ')}))`;
  });
  return `(${anyOf.join(' OR ')})`;
}
