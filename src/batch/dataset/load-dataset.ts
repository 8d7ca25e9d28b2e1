import { randomUUID } from 'node:crypto';
import type { Store } from '../../store/store';
import type { BatchHead, BatchOperation, RefusedRow, RowInput } from '../batch';
import type { OpenBatch } from '../run/open-batch';
import { type BatchQuotas, QuotaError } from '../storage/quotas';
import { RowStore } from '../storage/row-store';
import { type Dataset, DatasetError } from './dataset';
import { RowReader } from './row-reader';

/** Result of loading a dataset. */
export interface LoadedDataset {
  readonly rows: number;
  readonly refused: readonly RefusedRow[];
  /** Number of refused rows. Only the first ones are listed. */
  readonly refusedCount: number;
}

/** Limits of what a dataset may hold. */
export interface DatasetLimits {
  readonly maxRows: number;
  readonly quotas: BatchQuotas;
}

const rowsPerStatement = 500;
const maxBytesPerStatement = 2_000_000;
const maxRefusals = 1_000;

/** Loads the rows of a batch in chunks of a few hundred. Drops an earlier unfinished upload. */
export async function loadDataset(
  store: Store,
  open: OpenBatch,
  operation: BatchOperation,
  dataset: Dataset,
  { maxRows, quotas }: DatasetLimits,
): Promise<LoadedDataset> {
  const { batch, key } = open;
  const upload = randomUUID();
  await beginUpload(store, batch.id, upload);
  try {
    const reader = new RowReader(operation, dataset);
    const rows = new RowStore(store, batch.id, key);
    let keptBytes = 0;
    const keep = async (inserted: readonly NumberedRow[], taken: number): Promise<void> => {
      keptBytes += await rows.insert(upload, inserted);
      const excess = await quotas.findExcess(batch, { batches: 0, rows: taken, bytes: keptBytes });
      if (excess !== null) throw new QuotaError(excess);
    };
    const loaded = await takeRows(keep, reader, dataset, maxRows);
    if (loaded.rows === 0) throw new DatasetError(explainEmpty(loaded));
    const head: BatchHead = { ...open.head, columns: reader.columns };
    if (loaded.rows >= rowsPerStatement) await store.query('ANALYZE batch_row');
    await endUpload(store, open, upload, loaded, head);
    return loaded;
  } catch (error) {
    await removeRows(store, batch.id, upload);
    throw error;
  }
}

type NumberedRow = RowInput & { readonly number: number };

/** `keep` writes some rows, after which so many are taken in all. */
async function takeRows(
  keep: (rows: readonly NumberedRow[], taken: number) => Promise<void>,
  reader: RowReader,
  dataset: Dataset,
  maxRows: number,
): Promise<LoadedDataset> {
  const refused: RefusedRow[] = [];
  let refusedCount = 0;
  let taken = 0;
  let number = 0;
  let bytes = 0;
  let pending: NumberedRow[] = [];
  const flush = async (): Promise<void> => {
    if (pending.length > 0) await keep(pending, taken);
    pending = [];
    bytes = 0;
  };
  for await (const row of dataset.rows) {
    number += 1;
    if (number > maxRows) throw new DatasetError(`The dataset has more than ${maxRows} rows.`);
    const read = reader.read(row, number);
    if ('refused' in read) {
      refusedCount += 1;
      if (refused.length < maxRefusals) refused.push(read.refused);
      continue;
    }
    taken += 1;
    bytes += JSON.stringify(read.variables).length;
    pending.push(read);
    if (pending.length >= rowsPerStatement || bytes > maxBytesPerStatement) await flush();
  }
  await flush();
  return { rows: taken, refused, refusedCount };
}

function explainEmpty({ refused, refusedCount }: LoadedDataset): string {
  const [first] = refused;
  if (first === undefined) return 'The dataset has no rows.';
  return `None of the ${refusedCount} rows can be taken. The first, at line ${first.line}: ${first.message}`;
}

/** The id of an upload is in the batch while it is the latest: another one that is still coming in writes nothing any more. */
async function beginUpload(store: Store, batch: string, upload: string): Promise<void> {
  const taken = await store.query(
    `UPDATE batch SET upload = $2, refused = NULL, refused_count = 0, kept_rows = 0, kept_bytes = 0 WHERE id = $1 AND state = 'WAITING_FOR_ROWS' RETURNING id`,
    [batch, upload],
  );
  if (taken.length === 0) throw new DatasetError('The batch has its rows already.');
  await store.query('DELETE FROM batch_row WHERE batch = $1', [batch]);
}

async function endUpload(
  store: Store,
  { batch, key }: OpenBatch,
  upload: string,
  { rows, refused, refusedCount }: LoadedDataset,
  head: BatchHead,
): Promise<void> {
  const sealedHead = key.seal(`${batch.id} head`, JSON.stringify(head));
  const sealedRefused = key.seal(`${batch.id} refused`, JSON.stringify(refused));
  const ended = await store.query(
    `UPDATE batch SET state = 'PRICING', total = $3, head = $4, refused = $5, refused_count = $6, upload = NULL
    WHERE id = $1 AND upload = $2 AND state = 'WAITING_FOR_ROWS' RETURNING id`,
    [batch.id, upload, rows, sealedHead, sealedRefused, refusedCount],
  );
  if (ended.length === 0) throw new DatasetError('Another upload has taken the place of this one.');
}

async function removeRows(store: Store, batch: string, upload: string): Promise<void> {
  const own = await store.query(
    'UPDATE batch SET kept_rows = 0, kept_bytes = 0 WHERE id = $1 AND upload = $2 RETURNING id',
    [batch, upload],
  );
  if (own.length > 0) await store.query('DELETE FROM batch_row WHERE batch = $1', [batch]);
}
