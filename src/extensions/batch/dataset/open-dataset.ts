import type { Text } from '../../../identifiers/text';
import type { ColumnChoices } from '../batch';
import type { BatchOperation } from '../operation';
import { ColumnUses } from './columns/column-uses';
import { FoldedChoices } from './columns/folded-choices';
import { emptyFile, type HeaderFit } from './columns/header';
import { listNames } from './columns/match-column';
import { type Dataset, DatasetError } from './dataset';
import { DecodedText, type TextEncoding } from './text/decode-text';
import { readCsv } from './text/read-csv';
import { joined, peekLines, readJsonl, toUnixLines } from './text/read-lines';
import { isOldWorkbook, isZip, readXlsx } from './xlsx/read-xlsx';

export interface OpenDataset {
  readonly dataset: Dataset;
  readonly encoding: () => TextEncoding | null;
  /** Ends the reading. Must be called, also if not all rows have been read. */
  readonly close: () => void;
}

/**
 * Detects the format of a file from its content, because a file can have any name. `owner` is the account or the client that waits
 * for a reader of workbooks. Throws a `DatasetError` if the file has no known format.
 */
export async function openDataset(
  bytes: AsyncIterable<Buffer>,
  operation: BatchOperation,
  choices: ColumnChoices,
  owner: string,
): Promise<OpenDataset> {
  const chosen = new FoldedChoices(operation.variables, choices);
  const fits: HeaderFit = (columns) => new ColumnUses(chosen, columns).hasRequiredColumns;
  const { start, bytes: all } = await peekBytes(bytes);
  if (isOldWorkbook(start)) throw new DatasetError(oldWorkbook);
  if (isZip(start)) return { ...(await readXlsx(all, fits, choices.sheet, owner)), encoding: () => null };
  if (choices.sheet !== null) throw new DatasetError(notAWorkbook(choices.sheet));
  const decoded = new DecodedText(all);
  const { head, text } = await peekLines(toUnixLines(decoded));
  const first = head.split('\n').find((line) => line.trim() !== '') ?? '';
  if (first === '') throw new DatasetError(emptyFile);
  if (first.includes('\0')) throw new DatasetError(nulInHeader);
  if (/^\s*\[\s*(\{|$)/.test(first)) throw new DatasetError(jsonArray);
  if (/^\uFEFF?\s*</.test(first)) throw new DatasetError(webPage);
  decoded.isUtf8Only = first
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('{');
  const dataset = decoded.isUtf8Only ? readJsonl(text) : await readCsv(text, head, fits);
  return { dataset, encoding: () => decoded.encoding, close: () => undefined };
}

async function peekBytes(
  bytes: AsyncIterable<Buffer>,
): Promise<{ readonly start: Buffer; readonly bytes: AsyncIterable<Buffer> }> {
  const iterator = bytes[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < signatureBytes) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    start = Buffer.concat([start, value]);
  }
  return { start, bytes: joined([start], iterator) };
}

const signatureBytes = 4;

const oldWorkbook: Text = {
  english: 'The file is an .xls workbook of an old Excel, or protected with a password. Save it as .xlsx without one.',
  spanish:
    'El archivo es un libro .xls de un Excel antiguo o está protegido con contraseña. Guárdelo como .xlsx sin ella.',
};
const notAWorkbook = (sheet: string): Text => ({
  english: `The file is not a workbook, so it has no sheet ${listNames([sheet])}. Do not choose a sheet for it.`,
  spanish: `El archivo no es un libro, por lo que no tiene la hoja ${listNames([sheet])}. No elija ninguna hoja para él.`,
});
const nulInHeader: Text = {
  english:
    'The first line has a NUL character (U+0000). The file may be UTF-16: in a spreadsheet, save it as «CSV UTF-8».',
  spanish:
    'La primera línea tiene un carácter NUL (U+0000). El archivo puede estar en UTF-16: en la hoja de cálculo, guárdelo como «CSV UTF-8».',
};
const webPage: Text = {
  english:
    'The file is a web page or XML, which some programs call .xls. Open it in a spreadsheet, and save it as .xlsx.',
  spanish:
    'El archivo es una página web o XML, que algunos programas llaman .xls. Ábralo en la hoja de cálculo y guárdelo como .xlsx.',
};
const jsonArray: Text = {
  english:
    'The file is a JSON array. Send JSON lines: one object per line, without brackets around them or commas between them.',
  spanish:
    'El archivo es un arreglo JSON. Envíe líneas JSON: un objeto por línea, sin corchetes alrededor ni comas entre ellos.',
};
