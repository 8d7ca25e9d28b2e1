import { deleteAnswers } from '../../../money/answers/operations/lasting-operations';
import type { DeletedRows } from '../../../money/ledger/entries/purge';
import { personalTables } from '../../../money/migrations';
import type { Store } from '../../../store/store';
import { isAbandoned } from './batch-store';

const rowsPerStatement = 5_000;
/** Days that the sums of an erased batch are kept after it would have expired. */
const tombstoneDays = 30;

export async function eraseBatch(store: Store, batch: string): Promise<boolean> {
  const [row] = await store.query<{ readonly erased: boolean }>('SELECT batch_erase($1) AS erased', [batch]);
  // The key of a batch that was started stays, so that the same key does not buy the same rows again.
  await store.query(
    `UPDATE batch SET key_name = NULL WHERE id = $1 AND state = 'ERASED' AND started_at IS NULL AND key_name IS NOT NULL`,
    [batch],
  );
  await removeRows(store, batch);
  await deleteAnswers(store, batch);
  await vacuum(store);
  return row?.erased === true;
}

/** Removes erased data from the files of tables of the embedded store, which has no autovacuum. PostgreSQL vacuums its tables itself. */
async function vacuum(store: Store): Promise<void> {
  if (store.engine !== 'embedded') return;
  await store.query(`VACUUM ${[...personalTables, 'batch', 'batch_row', 'batch_subject'].join(', ')}`);
  await store.query('CHECKPOINT');
}

/** Removes rows in several statements, so that none of them holds its locks for long. */
async function removeRows(store: Store, batch: string): Promise<void> {
  for (const [table, column] of [
    ['batch_row', 'number'],
    ['batch_subject', 'ctid'],
  ] as const) {
    for (let removed = rowsPerStatement; removed === rowsPerStatement; ) {
      const rows = await store.query(
        `WITH chunk AS MATERIALIZED (SELECT ${column} FROM ${table} WHERE batch = $1 LIMIT ${rowsPerStatement})
        DELETE FROM ${table} t USING chunk WHERE t.batch = $1 AND t.${column} = chunk.${column} RETURNING 1`,
        [batch],
      );
      removed = rows.length;
    }
  }
}

/**
 * Erases the content of a person's rows in the batches of an account, and returns their number. The links in the ledger must be erased
 * first. `hashes` has one hash for each identifier of the person and each key of `DATA_KEYS`.
 */
export async function eraseSubjectRows(
  store: Store,
  accounts: readonly string[],
  hashes: readonly string[],
): Promise<number> {
  const [row] = await store.query<{ readonly rows: number }>('SELECT batch_erase_subject($1::json, $2::json) AS rows', [
    JSON.stringify(accounts),
    JSON.stringify(hashes),
  ]);
  await vacuum(store);
  return row?.rows ?? 0;
}

/** Finds a row of a batch in the order of the index. `EXISTS` could read the rows of all batches. */
const firstOf = (table: string): string =>
  `(SELECT r.number FROM ${table} r WHERE r.batch = batch.id ORDER BY r.number LIMIT 1)`;

/**
 * Erases expired and abandoned batches, and completes erasures that were interrupted. An erased batch that never had rows leaves no sums behind.
 */
export async function purgeBatches(store: Store): Promise<DeletedRows> {
  // One statement, so that a batch whose upload begins now is not erased.
  await store.query(
    `UPDATE batch SET state = 'ERASED', wrapped_key = NULL, header = NULL, refused = NULL, upload = NULL, key_name = NULL WHERE ${isAbandoned}`,
  );
  const expired = await store.query<{ readonly id: string }>(
    `SELECT id FROM batch WHERE (state NOT IN ('RUNNING', 'PRICING', 'ERASED') AND expires_at < now())
      OR (state = 'ERASED' AND (${firstOf('batch_row')} IS NOT NULL OR ${firstOf('batch_subject')} IS NOT NULL))`,
  );
  for (const { id } of expired) await eraseBatch(store, id);
  await store.query(
    `WITH deleted AS (
      DELETE FROM batch WHERE state = 'ERASED' AND ${firstOf('batch_row')} IS NULL
        AND (total = 0 OR expires_at < now() - ${tombstoneDays} * interval '1 day') RETURNING id
    ) SELECT operation_end(id) FROM deleted`,
  );
  return { batch: expired.length };
}
