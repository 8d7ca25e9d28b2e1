import type { ProblemCode } from '../../../registry/answer/problem';
import type { Store } from '../../../store/store';
import type { Batch, BatchEstimate } from '../batch';

/** Condition for a batch that was priced by an older list than version $1. */
const isOlder = `coalesce((estimate::json->>'prices')::integer, 0) < $1`;

/** Prices READY batches again, because their callers see the price before they start them. */
export async function repriceReady(store: Store, version: number): Promise<void> {
  await store.query(
    `UPDATE batch SET state = 'PRICING' WHERE state = 'READY' AND estimate IS NOT NULL AND ${isOlder}`,
    [version],
  );
}

/** Gives a running batch its price by a newer list, and pauses it if there is a reason. Returns whether this call did it. */
export async function reprice(
  store: Store,
  { id, run }: Batch,
  version: number,
  estimate: BatchEstimate | null,
  reason: ProblemCode | null,
): Promise<boolean> {
  const rows = await store.query(
    `UPDATE batch SET estimate = coalesce($4, estimate), reason = $5, state = CASE WHEN $5::text IS NULL THEN state ELSE 'PAUSED' END
    WHERE id = $2 AND run = $3 AND state = 'RUNNING' AND ${isOlder} RETURNING id`,
    [version, id, run, estimate === null ? null : JSON.stringify(estimate), reason],
  );
  return rows.length > 0;
}
