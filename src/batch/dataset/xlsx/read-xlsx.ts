import type { Remark } from '../../batch';
import { checkHeader, findHeader, type HeaderFit, toColumns } from '../columns/header';
import { type Dataset, DatasetError, type DatasetRow } from '../dataset';
import { surplusValues } from '../text/csv-messages';
import { maxHeaderLines } from '../text/read-lines';
import { readWorkbook, type SheetRow } from './workbook-process';

/** Whether a file begins as a ZIP archive, which a workbook is. */
export const isZip = (start: Buffer): boolean => start.subarray(0, 4).toString('latin1') === 'PK\x03\x04';

/** Whether a file begins as an old workbook or one that is encrypted with a password. */
export const isOldWorkbook = (start: Buffer): boolean => start.subarray(0, 4).toString('hex') === 'd0cf11e0';

/** A sheet whose rows a child process reads until `close` is called. */
interface OpenSheet {
  readonly dataset: Dataset;
  readonly close: () => Promise<unknown>;
}

/** Reads the first visible sheet of a workbook that has rows. Lines above the header, such as a title, are skipped. */
export async function readXlsx(bytes: AsyncIterable<Buffer>, fits: HeaderFit): Promise<OpenSheet> {
  const rows = readWorkbook(bytes);
  const head: SheetRow[] = [];
  while (head.length < maxHeaderLines) {
    const { value, done } = await rows.next();
    if (done === true) break;
    head.push(value);
  }
  const cells = head.map((row) => row.cells);
  const { index } = findHeader(cells, fits);
  const header = head[index];
  try {
    if (header === undefined) throw new DatasetError(emptyWorkbook);
    const columns = toColumns(header.cells);
    checkHeader(columns);
    const dataset = { columns, headerLine: header.line, rows: toRows(head.slice(index + 1), rows, columns.length) };
    return { dataset, close: () => rows.return(undefined) };
  } catch (error) {
    await rows.return(undefined);
    throw error;
  }
}

async function* toRows(
  head: readonly SheetRow[],
  rest: AsyncGenerator<SheetRow>,
  columns: number,
): AsyncGenerator<DatasetRow> {
  for (const row of head) yield toRow(row, columns);
  for await (const row of rest) yield toRow(row, columns);
}

const toRow = (row: SheetRow, columns: number): DatasetRow =>
  row.cells.length > columns ? { ...row, message: surplusValues(row.cells.length, columns) } : row;

const emptyWorkbook: Remark = {
  english: 'The workbook has no visible sheet with rows. Begin a sheet with the names of the columns.',
  spanish: 'El libro no tiene ninguna hoja visible con filas. Una hoja debe empezar con los nombres de las columnas.',
};
