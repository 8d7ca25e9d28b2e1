import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { CsvError as CsvErrorAtOnce, parse as parseAtOnce } from 'csv-parse/sync';
import type { Text } from '../../../../identifiers/text';
import { checkHeader, emptyFile, type FoundHeader, findHeader, type HeaderFit, toColumns } from '../columns/header';
import { type Dataset, DatasetError, type DatasetRow, noSheets } from '../dataset';

const maxRecordBytes = 1_000_000;

const otherRows = (line: number): Text => ({
  english: `A quoted cell ends at line ${line} and seems to contain other rows. Close its quote, or remove it.`,
  spanish: `Una celda entre comillas termina en la línea ${line} y parece contener otras filas. Cierre sus comillas o quítelas.`,
});
export const surplusValues = (values: number, columns: number): Text => ({
  english: `The row has ${values} values, but the header has ${columns} columns.`,
  spanish: `La fila tiene ${values} valores, pero el encabezado tiene ${columns} columnas.`,
});
const openQuote = (line: number): Text => ({
  english: `The quote that opens at line ${line} is not closed. Close it, or remove it.`,
  spanish: `Las comillas que abren en la línea ${line} no se cierran. Ciérrelas o quítelas.`,
});
const rowTooLong = (line: number): Text => ({
  english: `The row that begins at line ${line} has more than ${maxRecordBytes} bytes.`,
  spanish: `La fila que empieza en la línea ${line} tiene más de ${maxRecordBytes} bytes.`,
});
const unreadable = (line: number, code: string): Text => ({
  english: `The file cannot be read as CSV at line ${line} (${code}).`,
  spanish: `El archivo no se puede leer como CSV en la línea ${line} (${code}).`,
});

const delimiters = [',', ';', '\t', '|'] as const;

interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Reads CSV with a header, in any form that a spreadsheet writes: any delimiter, and quotes. Lines end with LF. Lines above the
 * header, such as a title, are skipped. `head` has the first lines of the text.
 */
export async function readCsv(text: AsyncIterable<string>, head: string, fits: HeaderFit): Promise<Dataset> {
  const { delimiter, skipped, height } = await detectHeader(head, fits);
  const parser = parse({ ...options(delimiter), info: true, raw: true });
  const source = Readable.from(text);
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  const records = (parser as AsyncIterable<ParsedRecord>)[Symbol.asyncIterator]();
  for (let record = 0; record < skipped; record += 1) await next(records, delimiter);
  const header = await next(records, delimiter);
  if (header === null) throw new DatasetError(emptyFile);
  const below = height === 2 ? await next(records, delimiter) : null;
  const columns = toColumns(header.record, below?.record);
  checkHeader(columns);
  return { columns, headerLine: firstLine(header), ...noSheets, rows: readRows(records, columns, delimiter) };
}

const options = (delimiter: string) => ({
  delimiter,
  record_delimiter: '\n',
  bom: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: maxRecordBytes,
});

async function detectHeader(
  head: string,
  fits: HeaderFit,
): Promise<{ readonly delimiter: string; readonly skipped: number; readonly height: number }> {
  const candidates: ({ readonly delimiter: string } & FoundHeader)[] = [];
  for (const delimiter of delimiters) {
    candidates.push({ delimiter, ...findHeader(parseHead(head, delimiter), fits) });
    // Yield between delimiters, because parsing long lines takes time.
    await nextTurn();
  }
  const fitting = candidates.filter(({ isFitting }) => isFitting);
  const [best] = (fitting.length > 0 ? fitting : candidates).sort((left, right) => right.columns - left.columns);
  return { delimiter: best?.delimiter ?? ',', skipped: best?.index ?? 0, height: best?.height ?? 1 };
}

function parseHead(head: string, delimiter: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  const collect = (record: string[]): null => {
    records.push(record);
    return null;
  };
  try {
    parseAtOnce(head, { ...options(delimiter), on_record: collect });
  } catch (error) {
    // The functions of csv-parse have their own classes of errors.
    if (!(error instanceof CsvErrorAtOnce)) throw error;
  }
  return records;
}

async function* readRows(
  records: AsyncIterator<ParsedRecord>,
  columns: readonly string[],
  delimiter: string,
): AsyncGenerator<DatasetRow> {
  for (let row = await next(records, delimiter); row !== null; row = await next(records, delimiter)) {
    const { record, info } = row;
    const line = firstLine(row);
    if (record.every((value) => value.trim() === '')) continue;
    if (containsOtherRows(record, delimiter)) yield { line, cells: record, message: otherRows(info.lines) };
    else if (record.length > columns.length && record.slice(columns.length).some((value) => value.trim() !== ''))
      yield { line, cells: record, message: surplusValues(record.length, columns.length) };
    else yield { line, cells: record };
  }
}

async function next(records: AsyncIterator<ParsedRecord>, delimiter: string): Promise<ParsedRecord | null> {
  try {
    const { value, done } = await records.next();
    return done === true ? null : value;
  } catch (error) {
    throw error instanceof CsvError ? new DatasetError(explainError(error, delimiter)) : error;
  }
}

function explainError(error: CsvError & { readonly lines?: number; readonly raw?: string }, delimiter: string): Text {
  const { code, lines = 1, raw = '' } = error;
  // csv-parse has not counted the last line break yet.
  const row = raw.replace(/\n$/, '');
  const open = findOpenQuote(row, delimiter);
  if (open !== null) return openQuote(lines - countBreaks(open));
  if (code === 'CSV_MAX_RECORD_SIZE') return rowTooLong(lines - countBreaks(row));
  return unreadable(lines, code);
}

/** Returns the line where a record begins. `info.lines` is its last line. */
const firstLine = ({ record, info }: ParsedRecord): number =>
  record.reduce((first, cell) => first - countBreaks(cell), info.lines);

const countBreaks = (text: string): number => text.split('\n').length - 1;

/** Maximum difference between two labels, or between two identifiers, in the same column. */
const maxLengthDifference = 1;

/**
 * Whether a quoted cell contains other rows, because a quote is missing or superfluous. That is assumed if the lines of the
 * cell, read as rows, have a text in some column that looks like the row's identifier or label in the same column.
 */
function containsOtherRows(record: readonly string[], delimiter: string): boolean {
  return record.some((cell, column) => {
    const lines = cell.split('\n');
    if (lines.length === 1) return false;
    // If no delimiter follows the closing quote, csv-parse leaves the opening quote in the cell.
    if (cell.startsWith('"') && cell.includes(delimiter)) return true;
    return lines.some((line, index) => {
      const first = index === 0 ? column : 0;
      return line.split(delimiter).some((text, offset) => {
        const place = first + offset;
        return place !== column && isAlike(text, record[place] ?? '');
      });
    });
  });
}

/** Whether two texts with digits look like values of the same column, such as `E-001` and `E-002`, or two NSS. */
function isAlike(left: string, right: string): boolean {
  // The lengths are compared first, because a cell can have many lines, and a text can be long.
  if (Math.abs(left.length - right.length) > maxLengthDifference) return false;
  return /\d/.test(left) && /\d/.test(right) && shapeOf(left) === shapeOf(right);
}

const shapeOf = (text: string): string => text.trim().replace(/[\p{L}\d]+/gu, 'x');

function findOpenQuote(row: string, delimiter: string): string | null {
  const opening = new RegExp(`(?:^|[${delimiter}\n])("[^"]*(?:""[^"]*)*)$`);
  return opening.exec(row)?.[1] ?? null;
}
