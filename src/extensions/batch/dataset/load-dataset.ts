import { isNestedTooDeep } from '../../../identifiers/json-value';
import { stripSeparators } from '../../../identifiers/normalise';
import { checkCurp, checkEmployerRegistration, checkNss, checkRfc } from '../../../identifiers/subjects';
import type { Text } from '../../../identifiers/text';
import type { SubjectIndex } from '../../../money/ledger/entries/subject-index';
import type { Subject } from '../../../registry/endpoint/endpoint';
import type { Store } from '../../../store/store';
import type { BatchColumn, BatchHeader, RefusedRow } from '../batch';
import type { OpenBatch } from '../open-batch';
import type { BatchOperation } from '../operation';
import type { BatchQuotas } from '../storage/quotas';
import { type NewRow, RowStore, type RowSubject } from '../storage/row-store';
import { withSheet } from './columns/column-messages';
import { type Dataset, DatasetError, type DatasetRow, QuotaError } from './dataset';
import { RowReader } from './row-reader';
import { joined } from './text/read-lines';
import { Upload, type UploadedRows } from './upload';

const maxLength = 40;
/** Maximum words that are looked at in the text of one cell. A cell can contain other rows. */
const maxWords = 1_000;
/** Maximum people and employers of a row. Hashing them blocks the event loop, and the store keeps each hash. */
const maxSubjects = 1_000;

/**
 * Returns the people and employers whose identifiers are in the cells of a row, alone or within a text, also in columns that
 * fill no variable, so that an erasure finds the row.
 */
export function findCellSubjects(values: readonly (string | null)[]): readonly Subject[] {
  const cells = values.filter((value) => value !== null);
  const whole = cells
    .filter(({ length }) => length <= maxLength)
    .map((cell) => stripSeparators(cell.replace(/['"=]/g, '')));
  const subjects = new Map<string, Subject>();
  const add = (value: string): void => {
    for (const subject of findSubjects(value)) subjects.set(`${subject.kind} ${subject.value}`, subject);
  };
  for (const value of whole) add(value);
  for (const cell of cells) {
    const words = cell.toUpperCase().match(/[A-ZÑ&\d]{10,18}/g) ?? [];
    for (const word of words.slice(0, maxWords)) {
      if (subjects.size >= maxSubjects) return [...subjects.values()];
      add(word);
    }
  }
  return [...subjects.values()];
}

function findSubjects(value: string): readonly Subject[] {
  // An NSS of ten digits has lost its zero. The index ignores leading zeros.
  if (/^\d{10}$/.test(value)) return checkNss(`0${value}`) === null ? [{ kind: 'nss', value }] : [];
  const subjects: Subject[] = [];
  if (/^\d{11}$/.test(value) && checkNss(value) === null) subjects.push({ kind: 'nss', value });
  if (/^[A-Z0-9]\d{10}$/.test(value) && checkEmployerRegistration(value) === null)
    subjects.push({ kind: 'registration', value });
  if (/^[A-ZÑ&]{3,4}\d{6}.{3}$/.test(value) && checkRfc(value) === null) subjects.push({ kind: 'rfc', value });
  if (/^[A-Z]{4}\d{6}.{8}$/.test(value) && checkCurp(value) === null) subjects.push({ kind: 'curp', value });
  return subjects;
}

export interface LoadedDataset extends UploadedRows {
  readonly columns: readonly BatchColumn[];
  readonly variables: readonly string[];
}

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
    const { sample, rows: all } = await readAhead(dataset.rows);
    reader.checkColumns(sample);
    const rows = new RowStore(store, batch.id, key);
    let bytes = 0;
    const insert: InsertRows = async (inserted, found, total) => {
      const stored = await rows.insert(upload.id, inserted, found);
      if (stored === null) throw await upload.explainLoss();
      bytes += stored;
      const excess = await quotas.findExcess(batch, { batches: 0, rows: total, bytes });
      if (excess !== null) throw new QuotaError(excess);
    };
    const loaded = await readRows(insert, (row) => hashSubjects(row, subjects), reader, all, maxRows);
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

const maxSampleRows = 200;
/** Characters of the rows that are read ahead. A row can have a million. */
const maxSampleLength = 2_000_000;

/** Reads the first rows ahead, because their values may show what a column has. */
async function readAhead(rows: Dataset['rows']) {
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  const sample: DatasetRow[] = [];
  for (let length = 0; sample.length < maxSampleRows && length < maxSampleLength; ) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    sample.push(value);
    length += isNestedTooDeep(value) ? maxSampleLength : JSON.stringify(value).length;
  }
  return { sample, rows: joined(sample, iterator) };
}

type InsertRows = (rows: readonly NewRow[], subjects: readonly RowSubject[], total: number) => Promise<void>;

async function readRows(
  insert: InsertRows,
  hash: (row: NewRow) => readonly RowSubject[],
  reader: RowReader,
  rows: AsyncIterable<DatasetRow>,
  maxRows: number,
): Promise<LoadedDataset> {
  const refused: RefusedRow[] = [];
  let refusedCount = 0;
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
  for await (const row of rows) {
    number += 1;
    if (number > maxRows) throw new DatasetError(tooManyRows(maxRows));
    const { input, refusal } = reader.read(row);
    if (refusal !== null) refusedCount += 1;
    if (refusal !== null && refused.length < maxListed) refused.push(refusal);
    bytes += JSON.stringify(input).length;
    const read = { number, isRefused: refusal !== null, input };
    pending.push(read);
    subjects.push(...hash(read));
    const isFull = bytes > maxBytesPerStatement || subjects.length > maxSubjectsPerStatement;
    if (isFull || pending.length >= rowsPerStatement) await flush();
  }
  await flush();
  // In JSON lines, a later row may have other columns.
  reader.checkColumns([]);
  return { columns: reader.columns, variables: reader.variables, rows: number - refusedCount, refused, refusedCount };
}

function explainEmpty({ refused, refusedCount }: LoadedDataset): Text {
  const [first] = refused;
  if (first === undefined) return { english: 'The dataset has no rows.', spanish: 'El archivo no tiene filas.' };
  const { line, reason } = first;
  return {
    english: `All rows (${refusedCount}) are rejected. The first one, at line ${line}: ${reason.english}`,
    spanish: `Se rechazan todas las filas (${refusedCount}). La primera, en la línea ${line}: ${reason.spanish}`,
  };
}

const tooManyRows = (maxRows: number): Text => ({
  english: `The dataset has more than ${maxRows} rows.`,
  spanish: `El archivo tiene más de ${maxRows} filas.`,
});
function hashSubjects({ number, input }: NewRow, subjects: SubjectIndex): readonly RowSubject[] {
  const found = findCellSubjects(input.cells).map((subject) => subjects.hash(subject));
  return [...new Set(found)].map((hash) => ({ number, hash }));
}
