import type { SubjectIndex } from '../../ledger/subject-index';
import type { Store } from '../../store/store';
import type { BatchColumn, BatchHeader, RejectedRow, Remark } from '../batch';
import type { BatchOperation } from '../operation';
import type { OpenBatch } from '../run/open-batch';
import { type BatchQuotas, QuotaError } from '../storage/quotas';
import { type NewRow, RowStore, type RowSubject } from '../storage/row-store';
import { Upload, type UploadedRows } from '../storage/upload';
import { withSheet } from './columns/column-messages';
import { type Dataset, DatasetError } from './dataset';
import { RowReader } from './row-reader';
import { findCellSubjects } from './values/cell-subjects';

/** Result of loading a dataset. */
export interface LoadedDataset extends UploadedRows {
  readonly columns: readonly BatchColumn[];
  /** The variables that columns can fill. */
  readonly variables: readonly string[];
}

/** Limits of a dataset, and the index of the people and employers of its rows. */
export interface LoadDependencies {
  readonly subjects: SubjectIndex;
  readonly maxRows: number;
  readonly quotas: BatchQuotas;
}

const rowsPerStatement = 500;
const maxBytesPerStatement = 2_000_000;
const maxSubjectsPerStatement = 5_000;
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
  const upload = new Upload(store, open);
  await upload.begin();
  try {
    const reader = new RowReader(operation, dataset, open.header.choices);
    await reader.checkColumns();
    const rows = new RowStore(store, batch.id, key);
    let bytes = 0;
    const insert: InsertRows = async (inserted, found, total) => {
      const stored = await rows.insert(upload.id, inserted, found);
      if (stored === null) throw await upload.explainLoss();
      bytes += stored;
      const excess = await quotas.findExcess(batch, { batches: 0, rows: total, bytes });
      if (excess !== null) throw new QuotaError(excess);
    };
    const loaded = await readRows(insert, (row) => hashSubjects(row, subjects), reader, dataset, maxRows);
    if (loaded.rows === 0) throw new DatasetError(withSheet(explainEmpty(loaded), dataset));
    const { columns, inputColumns, typedColumns, repairedColumns } = reader;
    const { sheet, sheets } = dataset;
    const header: BatchHeader = {
      ...{ ...open.header, columns, inputColumns },
      ...{ typedColumns, repairedColumns, sheet, sheets },
    };
    if (loaded.rows >= rowsPerStatement) await store.query('ANALYZE batch_row');
    await upload.end(loaded, header);
    return loaded;
  } catch (error) {
    await upload.removeRows();
    throw error;
  }
}

/** Inserts a group of rows with the hashes of their people and employers. `total` is the number of rows so far. */
type InsertRows = (rows: readonly NewRow[], subjects: readonly RowSubject[], total: number) => Promise<void>;

/** Reads all rows, and passes them to `insert` in groups. */
async function readRows(
  insert: InsertRows,
  hash: (row: NewRow) => readonly RowSubject[],
  reader: RowReader,
  dataset: Dataset,
  maxRows: number,
): Promise<LoadedDataset> {
  const rejected: RejectedRow[] = [];
  let rejectedCount = 0;
  let number = 0;
  let bytes = 0;
  let pending: NewRow[] = [];
  let subjects: RowSubject[] = [];
  const flush = async (): Promise<void> => {
    if (pending.length > 0) await insert(pending, subjects, number);
    pending = [];
    subjects = [];
    bytes = 0;
  };
  for await (const row of dataset.rows) {
    number += 1;
    if (number > maxRows) throw new DatasetError(tooManyRows(maxRows));
    const { input, rejected: reason } = reader.read(row);
    if (reason !== null) rejectedCount += 1;
    if (reason !== null && rejected.length < maxListed) rejected.push(reason);
    bytes += JSON.stringify(input).length;
    const read = { number, isRefused: reason !== null, input };
    pending.push(read);
    subjects.push(...hash(read));
    const isFull = bytes > maxBytesPerStatement || subjects.length > maxSubjectsPerStatement;
    if (isFull || pending.length >= rowsPerStatement) await flush();
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
  const { line, message, spanish } = first;
  return {
    english: `All rows (${rejectedCount}) are rejected. The first one, at line ${line}: ${message}`,
    spanish: `Se rechazan todas las filas (${rejectedCount}). La primera, en la línea ${line}: ${spanish}`,
  };
}

const tooManyRows = (maxRows: number): Remark => ({
  english: `The dataset has more than ${maxRows} rows.`,
  spanish: `El archivo tiene más de ${maxRows} filas.`,
});
function hashSubjects({ number, input }: NewRow, subjects: SubjectIndex): readonly RowSubject[] {
  const found = findCellSubjects(input.cells).map((subject) => subjects.hash(subject));
  return [...new Set(found)].map((hash) => ({ number, hash }));
}
