import type { Store } from '../../store/store';
import { withinView } from './conditions';
import { isPlainId } from './entries';
import type { LedgerView, SettlementInput } from './ledger-api';

/** Age from which an open call can be settled. No call takes that long, so no process will close it any more. */
const abandonedAfterMs = 15 * 60_000;

/**
 * Settles all of the entries or none, in one statement. Neither a lost acknowledgement nor a concurrent settlement can therefore leave
 * only some of them settled. Returns the IDs that cannot be settled. Repeating a settlement changes nothing, not even its time.
 */
export async function settleEntries(
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
    `WITH wanted AS MATERIALIZED (SELECT w.* FROM (SELECT ledger_lock()) AS locked, ${wanted}),
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
