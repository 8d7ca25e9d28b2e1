import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { RowStore } from '../storage/row-store';
import type { Cell, ResultTable, TableColumn } from './result-table';
import { readAllRows } from './row-chunks';
import type { TableWords } from './table-words';

/** Maximum columns of a sheet. A batch always has fewer rows than a sheet can have. */
const maxColumns = 16_384;
/** Rows that are written before other work of the process gets a turn. */
const rowsPerTurn = 50;
const minWidth = 10;
const maxWidth = 48;
/** Room for the button of the filter in a header. */
const filterWidth = 4;

/**
 * Writes the table as a workbook with one sheet. Text is in text cells, so that a spreadsheet keeps leading zeros. Rows are read as
 * fast as the reader takes the file. If the reader stops, nothing more is read or written.
 */
export async function* writeXlsx(rows: RowStore, table: ResultTable): AsyncGenerator<Buffer> {
  const archive = new ZipFile();
  const file = archive.outputStream.pipe(new PassThrough());
  const sheet = Readable.from(writeSheet(rows, table));
  // The archive does not pass on what happens to its parts.
  sheet.on('error', (error) => file.destroy(error));
  for (const [name, xml] of workbookParts(table.words.sheet)) archive.addBuffer(Buffer.from(declaration + xml), name);
  archive.addReadStream(sheet, sheetPart);
  archive.end();
  try {
    yield* file as AsyncIterable<Buffer>;
  } finally {
    sheet.destroy();
  }
}

async function* writeSheet(rows: RowStore, table: ResultTable): AsyncGenerator<string> {
  const { words } = table;
  const columns = table.columns.slice(0, maxColumns);
  const letters = columns.map((_column, index) => columnLetters(index));
  const header = `<row r="1">${columns
    .map((column, index) => toXml(toText(column.header, words), `${letters[index]}1`, headerStyle))
    .join('')}</row>`;
  const toRow = (cells: readonly Cell[], line: number): string => {
    const xml = columns.map(({ kind }, index) => {
      const cell = toXlsxCell(cells[index] ?? null, kind, words);
      return toXml(cell, `${letters[index]}${line}`, styles.get(cell.format) ?? 0);
    });
    return `<row r="${line}">${xml.join('')}</row>`;
  };
  let line = 1;
  for await (const page of readAllRows(rows)) {
    const cells = page.map((row) => table.toCells(row));
    if (line === 1) yield sheetStart(columns, cells) + header;
    for (let first = 0; first < cells.length; first += rowsPerTurn) {
      yield cells
        .slice(first, first + rowsPerTurn)
        .map((row, index) => toRow(row, line + first + index + 1))
        .join('');
    }
    line += cells.length;
  }
  if (line === 1) yield sheetStart(columns, []) + header;
  yield `</sheetData><autoFilter ref="A1:${letters.at(-1)}${line}"/></worksheet>`;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const packageFormat = 'http://schemas.openxmlformats.org/package/2006';
const relationType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const sheetPart = 'xl/worksheets/sheet1.xml';

/** Returns what precedes the rows: a header that stays visible, and columns that are wide enough for the first rows. */
function sheetStart(columns: readonly TableColumn[], firstRows: readonly (readonly Cell[])[]): string {
  const widths = columns.map(({ header, kind }, index) => {
    const longest = Math.max(header.length + filterWidth, ...firstRows.map((row) => String(row[index] ?? '').length));
    const width = Math.min(maxWidth, Math.max(minWidth, longest + 1));
    // What a user adds to a column of text is text, too.
    const style = kind === 'number' || kind === 'typed' ? 0 : styles.get(textFormat);
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${style}" customWidth="1"/>`;
  });
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const view = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`;
  return `${declaration}<worksheet xmlns="${spreadsheet}">${view}<cols>${widths.join('')}</cols><sheetData>`;
}

/** Returns the other parts of the workbook. Programs that recognize a file by its beginning expect the first one there. */
function workbookParts(sheet: string): readonly (readonly [name: string, xml: string])[] {
  const part = (name: string, type: string): string => `<Override PartName="/${name}" ContentType="${type}+xml"/>`;
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`;
  const types = [
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    part('xl/workbook.xml', `${contentType}.sheet.main`),
    part(sheetPart, `${contentType}.worksheet`),
    part('xl/styles.xml', `${contentType}.styles`),
    part('docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties'),
  ];
  const relations = [
    relation('rId1', `${relationType}/officeDocument`, 'xl/workbook.xml'),
    relation('rId2', `${packageFormat}/relationships/metadata/core-properties`, 'docProps/core.xml'),
  ];
  const sheetRelations = [
    relation('rId1', `${relationType}/worksheet`, 'worksheets/sheet1.xml'),
    relation('rId2', `${relationType}/styles`, 'styles.xml'),
  ];
  const sheets = `<sheets><sheet name="${escapeXml(sheet)}" sheetId="1" r:id="rId1"/></sheets>`;
  const author = '<dc:creator>padron</dc:creator><cp:lastModifiedBy>padron</cp:lastModifiedBy>';
  return [
    ['[Content_Types].xml', `<Types xmlns="${packageFormat}/content-types">${types.join('')}</Types>`],
    ['_rels/.rels', `<Relationships xmlns="${packageFormat}/relationships">${relations.join('')}</Relationships>`],
    [
      'docProps/core.xml',
      `<cp:coreProperties xmlns:cp="${packageFormat}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">${author}</cp:coreProperties>`,
    ],
    ['xl/workbook.xml', `<workbook xmlns="${spreadsheet}" xmlns:r="${relationType}">${sheets}</workbook>`],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${packageFormat}/relationships">${sheetRelations.join('')}</Relationships>`,
    ],
    ['xl/styles.xml', styleSheet()],
  ];
}

/** A text cell keeps leading zeros and is never run as a formula. */
const textFormat = '@';
const numberFormat = 'General';
const dayFormat = 'yyyy-mm-dd';
const timeFormat = 'yyyy-mm-dd hh:mm:ss';
/** Digits that a number of a spreadsheet keeps. */
const maxDigits = 15;
const decimalFormats = Array.from({ length: maxDigits }, (_item, places) =>
  places === 0 ? '0' : `0.${'0'.repeat(places)}`,
);
/** The formats of all cells. The position of a format is the number of its style. */
const formats = [numberFormat, textFormat, dayFormat, timeFormat, ...decimalFormats];
const styles = new Map(formats.map((format, index) => [format, index]));
const headerStyle = formats.length;

function styleSheet(): string {
  const number = (format: string): number =>
    ({ [numberFormat]: 0, [textFormat]: 49 })[format] ?? 164 + formats.indexOf(format);
  const codes = formats.map((format) => `<numFmt numFmtId="${number(format)}" formatCode="${format}"/>`).slice(2);
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
  const style = (format: string, fontId = 0): string =>
    `<xf numFmtId="${number(format)}" fontId="${fontId}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
  const cells = [...formats.map((format) => style(format)), style(textFormat, 1)];
  const fills = '<fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>';
  return `<styleSheet xmlns="${spreadsheet}"><numFmts count="${codes.length}">${codes.join('')}</numFmts>
<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts><fills count="2">${fills}</fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

/** Maximum characters of a cell in Excel. */
const maxTextLength = 32_767;
/** Days before this one have another number in Excel, because Excel has a 29 February 1900. */
const firstDay = '1900-03-01';
/** The number of 1970-01-01 in a spreadsheet. */
const epochDay = 25_569;
const msPerDay = 86_400_000;

interface XlsxCell {
  readonly value: string | number | boolean | null;
  readonly format: string;
}

/** Returns a cell. A value is only a number, a day or a time if its column has such values and the cell shows exactly the same value. */
export function toXlsxCell(value: Cell, kind: TableColumn['kind'], words: TableWords): XlsxCell {
  if (value === null || value === '') return { value: null, format: textFormat };
  if (typeof value !== 'string') return { value, format: numberFormat };
  if (kind === 'decimal') return toDecimal(value) ?? toText(value, words);
  if (kind === 'day' || kind === 'time') return toMoment(value) ?? toText(value, words);
  if (kind === 'typed') return toTyped(value) ?? toText(value, words);
  return toText(value, words);
}

const toText = (text: string, words: TableWords): XlsxCell => ({
  value: text.length > maxTextLength ? cut(text, words) : text,
  format: textFormat,
});

function cut(text: string, words: TableWords): string {
  const note = words.cut(text.length);
  // Does not split a character.
  return text.slice(0, maxTextLength - note.length).replace(/[\uD800-\uDBFF]$/, '') + note;
}

function toDecimal(text: string): XlsxCell | null {
  const [, whole, fraction = ''] = /^-?(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  const format = decimalFormats[fraction.length];
  if (whole === undefined || format === undefined || whole.length + fraction.length > maxDigits) return null;
  const value = Number(text);
  return Object.is(value, -0) ? null : { value, format };
}

/** Returns a number, a moment or a boolean of the dataset. A fraction may have more digits, because a workbook calculates with them. */
function toTyped(text: string): XlsxCell | null {
  if (/^(?:true|false)$/i.test(text)) return { value: text.toLowerCase() === 'true', format: numberFormat };
  const isExactFraction = text.includes('.') && String(Number(text)) === text;
  return toDecimal(text) ?? (isExactFraction ? { value: Number(text), format: numberFormat } : toMoment(text));
}

function toMoment(text: string): XlsxCell | null {
  const [, day = '', time = ''] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2}))?$/.exec(text) ?? [];
  const iso = `${day}T${time || '00:00:00'}.000Z`;
  const ms = Date.parse(iso);
  if (Number.isNaN(ms) || day < firstDay || new Date(ms).toISOString() !== iso) return null;
  return { value: ms / msPerDay + epochDay, format: time === '' ? dayFormat : timeFormat };
}

function toXml({ value }: XlsxCell, reference: string, style: number): string {
  if (value === null || value === '') return '';
  const start = `<c r="${reference}" s="${style}"`;
  if (typeof value === 'number') return `${start}><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `${start} t="b"><v>${Number(value)}</v></c>`;
  return `${start} t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML cannot contain, and `_x0041_`, which would be read as such a character. Workbooks have a form for both. */
const notInXml = /(?![\t\n])\p{Cc}|_(?=x[0-9A-Fa-f]{4}_)/gu;

const escapeXml = (text: string): string =>
  text
    .replace(notInXml, (character) => `_x${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`)
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replace(/[&<>"]/g, (character) => entities[character] ?? '');

/** Returns the letters of a column, from 0: `A`, or `AB` for 27. */
const columnLetters = (index: number): string =>
  (index < 26 ? '' : columnLetters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));
