import type { Store } from '../../store/store';
import { withinView } from './conditions';
import { linkedTo, type SubjectLink } from './entries';
import type { LedgerView } from './ledger-api';

/**
 * Finds the entries that are linked to one of the identifiers, and deletes all of their links, because all links of an entry are to the
 * same person. The entries stay. Returns their number.
 */
export async function eraseLinks(store: Store, view: LedgerView, links: readonly SubjectLink[]): Promise<number> {
  const conditions = withinView(view);
  const [row] = await store.query<{ readonly entries: number }>(
    `WITH linked AS MATERIALIZED (
        SELECT DISTINCT s.entry_id FROM ledger_subjects s JOIN ledger_entries e ON e.id = s.entry_id
        WHERE ${conditions.sql} AND ${linkedTo(conditions, links)}),
      erased AS (DELETE FROM ledger_subjects s USING linked WHERE s.entry_id = linked.entry_id RETURNING 1)
    SELECT count(*)::int AS entries FROM linked`,
    conditions.parameters,
  );
  return row?.entries ?? 0;
}
