import { DatasetError } from './dataset';

const maxLineBytes = 1_000_000;
const newline = 0x0a;

/** Decodes UTF-8 without its byte order mark. Throws a `DatasetError` if the bytes are not UTF-8. */
export async function* decodeText(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new DatasetError(notUtf8);
  }
}

/** Returns the first line, from which the format can be detected, and all bytes including that line. */
export async function peekLine(
  bytes: AsyncIterable<Buffer>,
): Promise<{ readonly first: string; readonly bytes: AsyncIterable<Buffer> }> {
  const iterator = bytes[Symbol.asyncIterator]();
  const head: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    head.push(value);
    size += value.length;
    if (value.includes(newline)) break;
    if (size > maxLineBytes) throw new DatasetError(firstLineTooLong);
  }
  const start = Buffer.concat(head);
  const end = start.indexOf(newline);
  const first = start.toString('utf8', 0, end < 0 ? start.length : end).replace(/^\uFEFF/, '');
  return { first, bytes: joined(start, iterator) };
}

async function* joined(start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield start;
  for (;;) {
    const { value, done } = await rest.next();
    if (done === true) return;
    yield value;
  }
}

/** Yields the lines and their numbers, without line endings. */
export async function* readLines(
  text: AsyncIterable<string>,
): AsyncGenerator<{ readonly line: number; readonly text: string }> {
  let rest = '';
  let line = 0;
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineBytes) throw new DatasetError(lineTooLong);
    for (const each of lines) {
      line += 1;
      yield { line, text: each };
    }
  }
  if (rest !== '') yield { line: line + 1, text: rest };
}

const notUtf8 = {
  english: 'The file is not UTF-8. In a spreadsheet, save it as «CSV UTF-8».',
  spanish: 'El archivo no está en UTF-8. En la hoja de cálculo, guárdelo como «CSV UTF-8».',
};
const firstLineTooLong = {
  english: 'The first line has more than 1,000,000 bytes.',
  spanish: 'La primera línea tiene más de 1,000,000 bytes.',
};
const lineTooLong = {
  english: 'A line has more than 1,000,000 characters.',
  spanish: 'Una línea tiene más de 1,000,000 caracteres.',
};
