import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Remark } from '../batch';
import { type Dataset, DatasetError, type DatasetRow } from './dataset';
import { decodeText, peekLine } from './read-lines';
import { containsOtherRows, findOpenQuote } from './stray-quotes';

const delimiters = [',', ';', '\t', '|'] as const;
const maxColumns = 200;
const maxRecordBytes = 1_000_000;

interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Reads CSV with a header, in any form that a spreadsheet writes: any delimiter, quotes, a byte order mark, either line ending. */
export async function readCsv(bytes: AsyncIterable<Buffer>): Promise<Dataset> {
  const { first, bytes: all } = await peekLine(bytes);
  const delimiter = detectDelimiter(first);
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    // Errors then contain the text of their row.
    raw: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
  });
  const source = Readable.from(toUnixLines(decodeText(all)));
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  const records = (parser as AsyncIterable<ParsedRecord>)[Symbol.asyncIterator]();
  const header = await next(records, delimiter);
  if (header === null) throw new DatasetError(emptyFile);
  const columns = header.record.map((name) => name.trim());
  checkHeader(columns);
  return { columns, rows: readRows(records, columns, delimiter) };
}

async function* readRows(
  records: AsyncIterator<ParsedRecord>,
  columns: readonly string[],
  delimiter: string,
): AsyncGenerator<DatasetRow> {
  for (let row = await next(records, delimiter); row !== null; row = await next(records, delimiter)) {
    const { record, info } = row;
    // `info.lines` is the last line of the row.
    const line = record.reduce((first, cell) => first - countBreaks(cell), info.lines);
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

function explainError(error: CsvError & { readonly lines?: number; readonly raw?: string }, delimiter: string): Remark {
  const { code, lines = 1, raw = '' } = error;
  // csv-parse has not counted the last line break yet.
  const row = raw.replace(/\n$/, '');
  const open = findOpenQuote(row, delimiter);
  if (open !== null) return openQuote(lines - countBreaks(open));
  if (code === 'CSV_MAX_RECORD_SIZE') return rowTooLong(lines - countBreaks(row));
  return unreadable(lines, code);
}

const countBreaks = (text: string): number => text.split('\n').length - 1;

/** Replaces CRLF by LF, because csv-parse counts CRLF in a quoted cell as two lines. */
async function* toUnixLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of text) {
    const whole = rest + chunk;
    rest = whole.endsWith('\r') ? '\r' : '';
    yield whole.slice(0, whole.length - rest.length).replaceAll('\r\n', '\n');
  }
  if (rest !== '') yield rest;
}

function checkHeader(columns: readonly string[]): void {
  if (columns.length > maxColumns) throw new DatasetError(tooManyColumns);
  const names = columns.filter((name) => name !== '');
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (repeated >= 0) throw new DatasetError(sameName(names[repeated] ?? ''));
}

/** Returns the most frequent delimiter of the header, outside of quotes. */
function detectDelimiter(header: string): string {
  const bare = header.replace(/"(?:[^"]|"")*"/g, '');
  const counts = delimiters.map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter;
}

const emptyFile: Remark = {
  english: 'The file is empty. Begin it with the names of the columns.',
  spanish: 'El archivo está vacío. Debe empezar con los nombres de las columnas.',
};
const tooManyColumns: Remark = {
  english: `The file has more than ${maxColumns} columns.`,
  spanish: `El archivo tiene más de ${maxColumns} columnas.`,
};
const sameName = (name: string): Remark => ({
  english: `Two columns have the same name (\`${name}\`). Rename or remove one of them.`,
  spanish: `Dos columnas tienen el mismo nombre (\`${name}\`). Cambie el nombre de una o quítela.`,
});
const otherRows = (line: number): Remark => ({
  english: `A quoted cell ends at line ${line} and seems to contain other rows. Close its quote, or remove it.`,
  spanish: `Una celda entre comillas termina en la línea ${line} y parece contener otras filas. Cierre sus comillas o quítelas.`,
});
const surplusValues = (values: number, columns: number): Remark => ({
  english: `The row has ${values} values, but the header has ${columns} columns.`,
  spanish: `La fila tiene ${values} valores, pero el encabezado tiene ${columns} columnas.`,
});
const openQuote = (line: number): Remark => ({
  english: `The quote that opens at line ${line} is not closed. Close it, or remove it.`,
  spanish: `Las comillas que abren en la línea ${line} no se cierran. Ciérrelas o quítelas.`,
});
const rowTooLong = (line: number): Remark => ({
  english: `The row that begins at line ${line} has more than ${maxRecordBytes} bytes.`,
  spanish: `La fila que empieza en la línea ${line} tiene más de ${maxRecordBytes} bytes.`,
});
const unreadable = (line: number, code: string): Remark => ({
  english: `The file cannot be read as CSV at line ${line} (${code}).`,
  spanish: `El archivo no se puede leer como CSV en la línea ${line} (${code}).`,
});
