import { randomUUID } from 'node:crypto';
import type { SubjectIndex } from '../../ledger/subject-index';
import type { Store } from '../../store/store';
import type { BatchColumn, BatchHeader, RejectedRow, Remark } from '../batch';
import type { BatchOperation } from '../operation';
import type { OpenBatch } from '../run/open-batch';
import { type BatchQuotas, QuotaError } from '../storage/quotas';
import { type NewRow, RowStore, type RowSubject } from '../storage/row-store';
import { type Dataset, DatasetError } from './dataset';
import { RowReader } from './row-reader';
import { findCellSubjects } from './values/cell-subjects';

/** Result of loading a dataset. */
export interface LoadedDataset {
  readonly columns: readonly BatchColumn[];
  /** The variables that columns can fill. */
  readonly variables: readonly string[];
  readonly rows: number;
  readonly rejected: readonly RejectedRow[];
  /** Number of rejected rows. Only the first ones are listed. */
  readonly rejectedCount: number;
}

/** Limits of a dataset, and the index of the people and employers of its rows. */
export interface LoadDependencies {
  readonly subjects: SubjectIndex;
  readonly maxRows: number;
  readonly quotas: BatchQuotas;
}

const rowsPerStatement = 500;
const maxBytesPerStatement = 2_000_000;
const maxListed = 1_000;

/**
 * Stores the rows of a dataset in a batch, some hundreds per statement. Replaces the rows of an unfinished upload. Throws a
 * `DatasetError` and removes the rows if the dataset is rejected as a whole.
 */
export async function loadDataset(
  store: Store,
  open: OpenBatch,
  operation: BatchOperation,
  dataset: Dataset,
  { subjects, maxRows, quotas }: LoadDependencies,
): Promise<LoadedDataset> {
  const { batch, key } = open;
  const upload = randomUUID();
  await beginUpload(store, batch.id, upload);
  try {
    const reader = new RowReader(operation, dataset, open.header.choices);
    const rows = new RowStore(store, batch.id, key);
    let bytes = 0;
    const insert = async (inserted: readonly NewRow[], total: number): Promise<void> => {
      const stored = await rows.insert(
        upload,
        inserted,
        inserted.flatMap((row) => hashSubjects(row, subjects)),
      );
      if (stored === null) throw new DatasetError(replaced);
      bytes += stored;
      const excess = await quotas.findExcess(batch, { batches: 0, rows: total, bytes });
      if (excess !== null) throw new QuotaError(excess);
    };
    const loaded = await readRows(insert, reader, dataset, maxRows);
    if (loaded.rows === 0) throw new DatasetError(explainEmpty(loaded));
    const { columns, inputColumns } = reader;
    const header: BatchHeader = { ...open.header, columns, inputColumns };
    if (loaded.rows >= rowsPerStatement) await store.query('ANALYZE batch_row');
    await endUpload(store, open, upload, loaded, header);
    return loaded;
  } catch (error) {
    await removeRows(store, batch.id, upload);
    throw error;
  }
}

/** Reads all rows, and passes them to `insert` in groups, with their total number so far. */
async function readRows(
  insert: (rows: readonly NewRow[], total: number) => Promise<void>,
  reader: RowReader,
  dataset: Dataset,
  maxRows: number,
): Promise<LoadedDataset> {
  const rejected: RejectedRow[] = [];
  let rejectedCount = 0;
  let number = 0;
  let bytes = 0;
  let pending: NewRow[] = [];
  const flush = async (): Promise<void> => {
    if (pending.length > 0) await insert(pending, number);
    pending = [];
    bytes = 0;
  };
  for await (const row of dataset.rows) {
    number += 1;
    if (number > maxRows) throw new DatasetError(tooManyRows(maxRows));
    const { input, rejected: reason } = reader.read(row);
    if (reason !== null) rejectedCount += 1;
    if (reason !== null && rejected.length < maxListed) rejected.push(reason);
    bytes += JSON.stringify(input).length;
    pending.push({ number, isRefused: reason !== null, input });
    if (pending.length >= rowsPerStatement || bytes > maxBytesPerStatement) await flush();
  }
  await flush();
  return {
    columns: reader.columns,
    variables: reader.variables,
    rows: number - rejectedCount,
    rejected,
    rejectedCount,
  };
}

function explainEmpty({ rejected, rejectedCount }: LoadedDataset): Remark {
  const [first] = rejected;
  if (first === undefined) return { english: 'The dataset has no rows.', spanish: 'El archivo no tiene filas.' };
  const { line, message, spanish = message } = first;
  return {
    english: `All rows (${rejectedCount}) are rejected. The first one, at line ${line}: ${message}`,
    spanish: `Se rechazan todas las filas (${rejectedCount}). La primera, en la línea ${line}: ${spanish}`,
  };
}

const tooManyRows = (maxRows: number): Remark => ({
  english: `The dataset has more than ${maxRows} rows.`,
  spanish: `El archivo tiene más de ${maxRows} filas.`,
});
const hasRows: Remark = {
  english: 'The batch already has rows. Create another batch for this file.',
  spanish: 'El lote ya tiene filas. Cree otro lote para este archivo.',
};
const replaced: Remark = {
  english: 'A later upload to the same batch replaced this one.',
  spanish: 'Un envío posterior al mismo lote reemplazó a este.',
};

/** Makes this upload the current one of its batch. An earlier upload that is still running then writes no more rows. */
async function beginUpload(store: Store, batch: string, upload: string): Promise<void> {
  const begun = await store.query(
    `UPDATE batch SET upload = $2, refused = NULL, refused_count = 0, kept_rows = 0, kept_bytes = 0 WHERE id = $1 AND state = 'WAITING_FOR_ROWS' RETURNING id`,
    [batch, upload],
  );
  if (begun.length === 0) throw new DatasetError(hasRows);
  await deleteRows(store, batch);
}

async function endUpload(
  store: Store,
  { batch, key }: OpenBatch,
  upload: string,
  { rows, rejected, rejectedCount }: LoadedDataset,
  header: BatchHeader,
): Promise<void> {
  const sealedHeader = key.seal(`${batch.id} head`, JSON.stringify(header));
  const sealedRejected = key.seal(`${batch.id} refused`, JSON.stringify(rejected));
  const ended = await store.query(
    `UPDATE batch SET state = 'PRICING', total = $3, head = $4, refused = $5, refused_count = $6, upload = NULL
    WHERE id = $1 AND upload = $2 AND state = 'WAITING_FOR_ROWS' RETURNING id`,
    [batch.id, upload, rows, sealedHeader, sealedRejected, rejectedCount],
  );
  if (ended.length === 0) throw new DatasetError(replaced);
}

async function removeRows(store: Store, batch: string, upload: string): Promise<void> {
  const current = await store.query(
    'UPDATE batch SET kept_rows = 0, kept_bytes = 0 WHERE id = $1 AND upload = $2 RETURNING id',
    [batch, upload],
  );
  if (current.length > 0) await deleteRows(store, batch);
}

async function deleteRows(store: Store, batch: string): Promise<void> {
  await store.query('DELETE FROM batch_row WHERE batch = $1', [batch]);
  await store.query('DELETE FROM batch_subject WHERE batch = $1', [batch]);
}

function hashSubjects({ number, isRefused, input }: NewRow, subjects: SubjectIndex): readonly RowSubject[] {
  const found = findCellSubjects(input.cells).map((subject) => subjects.hash(subject));
  return [...new Set(found)].map((hash) => ({ number, isRefused, hash }));
}
