import { type Dataset, type DatasetRow, noSheets } from '../dataset';
import { readLines } from './read-lines';

/** Reads JSON lines: one object per line, with a member for each variable and optionally `ref`, the caller's label. */
export function readJsonl(text: AsyncIterable<string>): Dataset {
  return { columns: null, headerLine: null, ...noSheets, rows: readRows(text) };
}

async function* readRows(lines: AsyncIterable<string>): AsyncGenerator<DatasetRow> {
  for await (const { line, text } of readLines(lines)) {
    if (text.trim() !== '') yield readRow(line, text);
  }
}

function readRow(line: number, text: string): DatasetRow {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { line, values: value } : { line, cells: [], message: notAnObject };
  } catch {
    return { line, cells: [], message: notJson };
  }
}

const notAnObject = {
  english: 'The line is not a JSON object. Write one object per line.',
  spanish: 'La línea no es un objeto JSON. Escriba un objeto por línea.',
};
const notJson = {
  english: 'The line is not JSON. Write one object per line, without a comma after it.',
  spanish: 'La línea no es JSON. Escriba un objeto por línea, sin coma al final.',
};

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
