import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { type Dataset, DatasetError, type DatasetRow } from './dataset';
import { decodeText, peekLine } from './read-lines';

const delimiters = [',', ';', '\t', '|'] as const;
const maxColumns = 200;
const maxRecordBytes = 1_000_000;

interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** A table with a header, however a spreadsheet writes it: commas, semicolons or tabs, quotes, a byte order mark, either line end. */
export async function readCsv(bytes: AsyncIterable<Buffer>): Promise<Dataset> {
  const { first, bytes: all } = await peekLine(bytes);
  const parser = parse({
    delimiter: detectDelimiter(first),
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
  });
  const source = Readable.from(decodeText(all));
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  const records = (parser as AsyncIterable<ParsedRecord>)[Symbol.asyncIterator]();
  const header = await next(records);
  if (header === null) throw new DatasetError('The file is empty: its first line names the columns.');
  const columns = header.record.map((name) => name.trim());
  refuseHeader(columns);
  return { columns, isText: true, rows: readRows(records, columns) };
}

async function* readRows(records: AsyncIterator<ParsedRecord>, columns: readonly string[]): AsyncGenerator<DatasetRow> {
  for (let row = await next(records); row !== null; row = await next(records)) {
    const { record, info } = row;
    const line = info.lines;
    if (record.every((value) => value.trim() === '')) continue;
    if (record.length > columns.length && record.slice(columns.length).some((value) => value.trim() !== ''))
      yield { line, message: `The row has ${record.length} values; the header names ${columns.length}.` };
    else yield { line, values: Object.fromEntries(columns.map((name, index) => [name, record[index] ?? ''])) };
  }
}

async function next(records: AsyncIterator<ParsedRecord>): Promise<ParsedRecord | null> {
  try {
    const { value, done } = await records.next();
    return done === true ? null : value;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = 'lines' in error ? ` at line ${error.lines}` : '';
    throw new DatasetError(`The file cannot be read as CSV${line} (${error.code}).`);
  }
}

function refuseHeader(columns: readonly string[]): void {
  if (columns.length > maxColumns) throw new DatasetError(`The file has more than ${maxColumns} columns.`);
  const names = columns.filter((name) => name !== '');
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (repeated >= 0) throw new DatasetError(`Two columns have the same name (column ${repeated + 1}).`);
}

/** What stands most often in the header, outside of quotes. */
function detectDelimiter(header: string): string {
  const bare = header.replace(/"(?:[^"]|"")*"/g, '');
  const counts = delimiters.map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter;
}
