import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CellRichTextValue, Style, stream, Worksheet } from 'exceljs';
import type { RowStore } from '../storage/row-store';
import type { Cell, ResultTable, TableColumn } from './result-table';
import { readAllRows } from './row-chunks';
import type { TableWords } from './table-words';

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

type CellStyle = Partial<Style>;

/** A value and its format in a sheet. */
interface XlsxCell {
  readonly value: string | number | boolean | CellRichTextValue | null;
  readonly style: CellStyle;
}

/** Maximum characters of a cell in Excel. */
const maxTextLength = 32_767;
/** Digits that a number of a spreadsheet keeps. */
const maxDigits = 15;
/** Days before this one have another number in Excel, because Excel has a 29 February 1900. */
const firstDay = '1900-03-01';
/** The number of 1970-01-01 in a spreadsheet. */
const epochDay = 25_569;
const msPerDay = 86_400_000;

/** A text cell keeps leading zeros and is never run as a formula. Styles are shared, because exceljs looks them up by identity. */
const textStyle: CellStyle = { numFmt: '@' };
const headerStyle: CellStyle = { numFmt: '@', font: { name: 'Calibri', size: 11, bold: true } };
const numberStyle: CellStyle = { numFmt: 'General' };
const dayStyle: CellStyle = { numFmt: 'yyyy-mm-dd' };
const timeStyle: CellStyle = { numFmt: 'yyyy-mm-dd hh:mm:ss' };
const decimalStyles: readonly CellStyle[] = Array.from({ length: maxDigits }, (_item, places) => ({
  numFmt: places === 0 ? '0' : `0.${'0'.repeat(places)}`,
}));

/** Returns a cell. A value is only a number, a day or a time if its column has such values and the cell shows exactly the same value. */
export function toXlsxCell(value: Cell, kind: TableColumn['kind'], words: TableWords): XlsxCell {
  if (value === null || value === '') return { value: null, style: textStyle };
  if (typeof value !== 'string') return { value, style: numberStyle };
  if (kind === 'decimal') return toDecimal(value) ?? toText(value, words);
  if (kind === 'day' || kind === 'time') return toMoment(value) ?? toText(value, words);
  if (kind === 'typed') return toTyped(value) ?? toText(value, words);
  return toText(value, words);
}

function toText(text: string, words: TableWords): XlsxCell {
  const value = escapeText(text.length > maxTextLength ? cut(text, words) : text);
  // exceljs only writes a rich text so that a spreadsheet keeps blanks at its ends.
  return { value: value === value.trim() ? value : { richText: [{ text: value }] }, style: textStyle };
}

function cut(text: string, words: TableWords): string {
  const note = words.cut(text.length);
  // Does not split a character.
  return text.slice(0, maxTextLength - note.length).replace(/[\uD800-\uDBFF]$/, '') + note;
}

/** Replaces what the file cannot contain: `_x0041_` would be read as an escaped character, and XML forbids two characters. */
const escapeText = (text: string): string =>
  text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_').replace(/[\uFFFE\uFFFF]/g, '\uFFFD');

function toDecimal(text: string): XlsxCell | null {
  const [, whole, fraction = ''] = /^-?(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  const style = decimalStyles[fraction.length];
  if (whole === undefined || style === undefined || whole.length + fraction.length > maxDigits) return null;
  const value = Number(text);
  return Object.is(value, -0) ? null : { value, style };
}

/** Returns a number, a moment or a boolean of the dataset. A fraction may have more digits, because a workbook calculates with them. */
function toTyped(text: string): XlsxCell | null {
  if (/^(?:true|false)$/i.test(text)) return { value: text.toLowerCase() === 'true', style: numberStyle };
  const isExactFraction = text.includes('.') && String(Number(text)) === text;
  return toDecimal(text) ?? (isExactFraction ? { value: Number(text), style: numberStyle } : toMoment(text));
}

/** Returns a day, or a day with its time. */
function toMoment(text: string): XlsxCell | null {
  const [, day = '', time = ''] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2}))?$/.exec(text) ?? [];
  const iso = `${day}T${time || '00:00:00'}.000Z`;
  const ms = Date.parse(iso);
  if (Number.isNaN(ms) || day < firstDay || new Date(ms).toISOString() !== iso) return null;
  return { value: ms / msPerDay + epochDay, style: time === '' ? dayStyle : timeStyle };
}
