import { isObject, parseJson } from '../../../../identifiers/json-value';
import { type Dataset, DatasetError, type DatasetRow, noSheets } from '../dataset';

export function readJsonl(text: AsyncIterable<string>): Dataset {
  return { columns: null, headerLine: null, ...noSheets, rows: readRows(text) };
}

async function* readRows(lines: AsyncIterable<string>): AsyncGenerator<DatasetRow> {
  for await (const { line, text } of readLines(lines)) {
    if (text.trim() !== '') yield readRow(line, text);
  }
}

function readRow(line: number, text: string): DatasetRow {
  const value = parseJson(text);
  if (isObject(value)) return { line, values: value };
  return { line, cells: [], message: value === undefined ? notJson : notAnObject };
}

const notAnObject = {
  english: 'The line is not a JSON object. Write one object per line.',
  spanish: 'La línea no es un objeto JSON. Escriba un objeto por línea.',
};
const notJson = {
  english: 'The line is not JSON. Write one object per line, without a comma after it.',
  spanish: 'La línea no es JSON. Escriba un objeto por línea, sin coma al final.',
};

const maxLineLength = 1_000_000;
/** Maximum characters in which the header is searched. Every delimiter is tried on them. */
const maxHeadLength = 100_000;
export const maxHeaderLines = 20;

/** Replaces the line ends of Windows (CRLF) and of Excel for Mac (CR) by LF, also in a text that mixes them. */
export async function* toUnixLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of text) {
    const whole = rest + chunk;
    rest = whole.endsWith('\r') ? '\r' : '';
    yield whole.slice(0, whole.length - rest.length).replace(/\r\n?/g, '\n');
  }
  if (rest !== '') yield '\n';
}

export async function peekLines(
  text: AsyncIterable<string>,
): Promise<{ readonly head: string; readonly text: AsyncIterable<string> }> {
  const iterator = text[Symbol.asyncIterator]();
  let start = '';
  for (;;) {
    const { value, done } = await iterator.next();
    if (done === true) return { head: start, text: joined([start], iterator) };
    start += value;
    const head = takeLines(start);
    if (head !== null && head.length <= maxHeadLength) return { head, text: joined([start], iterator) };
    if (start.length > maxHeadLength) return { head: start.slice(0, maxHeadLength), text: joined([start], iterator) };
  }
}

function takeLines(text: string): string | null {
  let count = 0;
  for (let start = 0; ; ) {
    const end = text.indexOf('\n', start);
    if (end === -1) return null;
    if (text.slice(start, end).trim() !== '') count += 1;
    if (count === maxHeaderLines) return text.slice(0, end);
    start = end + 1;
  }
}

export async function* joined<Part>(
  start: readonly Part[],
  rest: AsyncIterator<Part> | Iterator<Part>,
): AsyncGenerator<Part> {
  yield* start;
  for (;;) {
    const { value, done } = await rest.next();
    if (done === true) return;
    yield value;
  }
}

export async function* readLines(
  text: AsyncIterable<string>,
): AsyncGenerator<{ readonly line: number; readonly text: string }> {
  let rest = '';
  let line = 0;
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineLength) throw new DatasetError(lineTooLong);
    for (const each of lines) {
      line += 1;
      yield { line, text: each };
    }
  }
  if (rest !== '') yield { line: line + 1, text: rest };
}

const lineTooLong = {
  english: 'A line has more than 1,000,000 characters.',
  spanish: 'Una línea tiene más de 1,000,000 caracteres.',
};
