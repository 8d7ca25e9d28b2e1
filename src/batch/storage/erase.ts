import type { Store } from '../../store/store';

const rowsPerSlice = 5_000;
/** Days that an erased batch remains known. */
const tombstoneDays = 30;

/** Destroys a batch's key at once, and after it what the key has sealed. */
export async function eraseBatch(store: Store, batch: string): Promise<boolean> {
  const [row] = await store.query<{ readonly erased: boolean }>('SELECT batch_erase($1) AS erased', [batch]);
  await removeRows(store, batch);
  return row?.erased === true;
}

/** Removes rows in chunks, to hold no lock for long. */
async function removeRows(store: Store, batch: string): Promise<void> {
  for (const [table, column] of [
    ['batch_row', 'number'],
    ['batch_question', 'name'],
    ['batch_subject', 'ctid'],
  ] as const) {
    for (let removed = rowsPerSlice; removed === rowsPerSlice; ) {
      const rows = await store.query(
        `WITH slice AS MATERIALIZED (SELECT ${column} FROM ${table} WHERE batch = $1 LIMIT ${rowsPerSlice})
        DELETE FROM ${table} t USING slice WHERE t.batch = $1 AND t.${column} = slice.${column} RETURNING 1`,
        [batch],
      );
      removed = rows.length;
    }
  }
}

/** Forgets a person's rows in the batches of an account; by the hashes of all identifiers and keys. Tells how many rows those were. */
export async function eraseSubjectRows(
  store: Store,
  accounts: readonly string[],
  hashes: readonly string[],
): Promise<number> {
  const [row] = await store.query<{ readonly rows: number }>('SELECT batch_erase_subject($1::json, $2::json) AS rows', [
    JSON.stringify(accounts),
    JSON.stringify(hashes),
  ]);
  return row?.rows ?? 0;
}

/** Erases batches whose time is over, and what an erasure that was broken off has left. */
export async function purgeBatches(store: Store): Promise<number> {
  const over = await store.query<{ readonly id: string }>(
    `SELECT id FROM batch WHERE (state NOT IN ('RUNNING', 'PRICING', 'ERASED') AND expires_at < now())
      OR (state = 'ERASED' AND EXISTS (SELECT 1 FROM batch_row r WHERE r.batch = batch.id))`,
  );
  for (const { id } of over) await eraseBatch(store, id);
  await store.query(
    `DELETE FROM batch WHERE state = 'ERASED' AND expires_at < now() - ${tombstoneDays} * interval '1 day'`,
  );
  return over.length;
}
