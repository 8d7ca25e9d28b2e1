import type { SubjectKind } from '../../../registry/endpoint/endpoint';
import type { Store } from '../../../store/store';
import { linksOf } from '../entries/conditions';
import { conditionsOf, linkedTo, type Selection, type SubjectLink } from './entries';

/** A kind of identifier that a person has in the ledger and that was not searched, with the entries that only it would find. */
export interface OtherIdentifier {
  readonly kind: SubjectKind;
  readonly entries: number;
}

/** Maximum number of found entries whose links are read. An employer may have many thousands. */
const maxEntries = 10_000;

/**
 * Returns the kinds of identifiers, in alphabetical order, that a search leaves out although the found entries lead to them. A person's other
 * entries have the same NSS or CURP, or are of one `Person` of a request. A name leads to no others if another identifier is searched too.
 */
export async function findOtherIdentifiers(
  store: Store,
  selection: Selection,
  links: readonly SubjectLink[],
): Promise<readonly OtherIdentifier[]> {
  const conditions = conditionsOf({ ...selection, links: null });
  const visible = conditions.sql;
  const table = linksOf(selection.view);
  const unique = links.filter(({ kind }) => kind !== 'name');
  const entriesOf = (searched: readonly SubjectLink[]): string =>
    `SELECT e.id FROM ledger_entries e WHERE ${visible} AND e.id IN (SELECT s.entry_id FROM ${table} s
      WHERE ${linkedTo(conditions, searched)}) ORDER BY e.id DESC LIMIT ${maxEntries}`;
  const searchedKinds = conditions.parameter([...links.map(({ kind }) => kind), 'reference', 'answer', 'person']);
  return store.read<OtherIdentifier>(
    `WITH found AS MATERIALIZED (${entriesOf(links)}), own AS MATERIALIZED (${entriesOf(unique.length > 0 ? unique : links)}),
      theirs AS MATERIALIZED (SELECT DISTINCT s.kind, s.hash FROM ${table} s WHERE s.entry_id IN (SELECT id FROM own)),
      others AS MATERIALIZED (SELECT DISTINCT s.entry_id AS id FROM theirs t JOIN ${table} s ON s.hash = t.hash AND s.kind = t.kind
        WHERE t.kind IN ('nss', 'curp', 'person') AND s.entry_id NOT IN (SELECT id FROM found)
          AND EXISTS (SELECT FROM ledger_entries e WHERE e.id = s.entry_id AND ${visible}))
    SELECT k.kind, count(DISTINCT k.entry)::int AS entries FROM (SELECT kind, NULL::text AS entry FROM theirs
      UNION ALL SELECT s.kind, s.entry_id FROM ${table} s WHERE s.entry_id IN (SELECT id FROM others)) k
    WHERE NOT k.kind = ANY(${searchedKinds}) GROUP BY 1 ORDER BY 1`,
    conditions.parameters,
  );
}
