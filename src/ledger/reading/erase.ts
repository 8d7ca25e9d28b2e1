import type { Store } from '../../store/store';
import { Conditions } from './conditions';
import { linkedTo, type SubjectLink } from './entries';
import type { LedgerView } from './port';

/**
 * Forgets a person: every link of the entries that one of the identifiers leads to, since each of these was about the same person.
 * The entries stay. Gives how many there were.
 */
export async function eraseLinks(store: Store, view: LedgerView, links: readonly SubjectLink[]): Promise<number> {
  const conditions = new Conditions();
  const [row] = await store.query<{ readonly entries: number }>(
    `WITH linked AS MATERIALIZED (SELECT DISTINCT s.entry FROM ledger_subjects s WHERE ${linkedTo(conditions, view, links)}),
      erased AS (DELETE FROM ledger_subjects s USING linked WHERE s.entry = linked.entry RETURNING 1)
    SELECT count(*)::int AS entries FROM linked`,
    conditions.parameters,
  );
  return row?.entries ?? 0;
}
