import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { stream, Worksheet } from 'exceljs';
import type { RowStore } from '../storage/row-store';
import type { Cell } from './answer-value';
import type { ResultTable, TableColumn } from './result-table';
import { readAllRows } from './row-chunks';
import { headerStyle, textStyle, toText, toXlsxCell } from './xlsx-cells';

type XlsxWriter = stream.xlsx.WorkbookWriter;
type Archive = Readable & { abort(): void };

/** Maximum columns of a sheet. A batch always has fewer rows than a sheet can have. */
const maxColumns = 16_384;
/** Rows that are written before other work of the process gets a turn. */
const rowsPerTurn = 50;
const minWidth = 10;
const maxWidth = 48;
/** Room for the button of the filter in a header. */
const filterWidth = 4;

/**
 * Writes the table as a workbook with one sheet. Text is in text cells, so that a spreadsheet keeps leading zeros. If the reader
 * stops, nothing more is read or written.
 */
export async function* writeXlsx(rows: RowStore, table: ResultTable): AsyncGenerator<Buffer> {
  // Loaded when it is needed, because it is large.
  const { default: exceljs } = await import('exceljs');
  const file = new PassThrough();
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({ stream: file, useStyles: true });
  workbook.creator = 'padron';
  workbook.lastModifiedBy = 'padron';
  const stop = new AbortController();
  const fail = (error: unknown): unknown => file.destroy(error instanceof Error ? error : new Error(String(error)));
  // An archive that was left reports an error if exceljs still adds to it.
  archiveOf(workbook).on('error', fail);
  fillWorkbook(workbook, rows, table, stop.signal).catch(fail);
  try {
    yield* file as AsyncIterable<Buffer>;
  } finally {
    stop.abort();
    file.destroy();
    archiveOf(workbook).abort();
  }
}

async function fillWorkbook(
  workbook: XlsxWriter,
  rows: RowStore,
  table: ResultTable,
  signal: AbortSignal,
): Promise<void> {
  const columns = table.columns.slice(0, maxColumns);
  const sheet = workbook.addWorksheet(table.words.sheet, { views: [{ state: 'frozen', ySplit: 1 }] });
  let count = 0;
  for await (const page of readAllRows(rows)) {
    const cells = page.map((row) => table.toCells(row));
    if (count === 0) writeHeader(sheet, columns, cells, table);
    for (const row of cells) {
      writeRow(sheet, row, columns, table);
      count += 1;
      if (count % rowsPerTurn !== 0) continue;
      await flushed(sheet);
      signal.throwIfAborted();
    }
  }
  if (count === 0) writeHeader(sheet, columns, [], table);
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: count + 1, column: columns.length } };
  await workbook.commit();
}

/** Writes the headers, in columns that are wide enough for the first rows. */
function writeHeader(
  sheet: Worksheet,
  columns: readonly TableColumn[],
  firstRows: readonly (readonly Cell[])[],
  { words }: ResultTable,
): void {
  sheet.columns = columns.map(({ header, kind }, index) => {
    const longest = Math.max(header.length + filterWidth, ...firstRows.map((row) => String(row[index] ?? '').length));
    return {
      width: Math.min(maxWidth, Math.max(minWidth, longest + 1)),
      style: kind === 'number' || kind === 'typed' ? {} : textStyle,
    };
  });
  const row = sheet.getRow(1);
  for (const [index, { header }] of columns.entries()) {
    if (header === '') continue;
    const cell = row.getCell(index + 1);
    cell.value = toText(header, words).value;
    cell.style = headerStyle;
  }
  row.commit();
}

function writeRow(
  sheet: Worksheet,
  cells: readonly Cell[],
  columns: readonly TableColumn[],
  { words }: ResultTable,
): void {
  const row = sheet.addRow([]);
  for (const [index, { kind }] of columns.entries()) {
    const { value, style } = toXlsxCell(cells[index] ?? null, kind, words);
    if (value === null) continue;
    const cell = row.getCell(index + 1);
    cell.value = value;
    cell.style = style;
  }
  row.commit();
}

/**
 * Waits until the sheet's part of the archive has taken everything. exceljs never waits for its reader, so without this a slow
 * download would fill the memory. exceljs does not declare these members.
 */
async function flushed(sheet: Worksheet): Promise<void> {
  const { pipes } = (sheet as unknown as { readonly stream: { readonly pipes: readonly Writable[] } }).stream;
  await Promise.all(pipes.map((part) => new Promise((resolve) => part.write(Buffer.alloc(0), resolve))));
  await nextTurn();
}

/** Returns the archive that a workbook writes. exceljs does not declare it. */
const archiveOf = (workbook: XlsxWriter): Archive => (workbook as unknown as { readonly zip: Archive }).zip;
