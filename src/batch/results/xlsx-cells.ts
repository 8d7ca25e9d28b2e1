import type { CellRichTextValue, Style } from 'exceljs';
import type { Cell } from './answer-value';
import type { TableColumn } from './result-table';
import type { TableWords } from './table-words';

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
export const textStyle: CellStyle = { numFmt: '@' };
export const headerStyle: CellStyle = { numFmt: '@', font: { name: 'Calibri', size: 11, bold: true } };
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

export function toText(text: string, words: TableWords): XlsxCell {
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
