// @ts-check
import { WorkbookError } from './limits.mjs';
import { readXml } from './xml.mjs';

/** Maximum rows of a sheet in Excel. */
const maxRows = 1_048_576;
/** Maximum columns that are read. One more than padron allows, so that padron sees the excess. */
const maxColumns = 201;

/**
 * What is wrong with a cell: a formula that has no value, because the program that wrote it does not calculate, a shared text that
 * does not exist, or an error such as #N/A.
 * @typedef {'NO_VALUE' | 'NO_TEXT' | 'ERROR'} CellFault
 */

/**
 * A row: its number, its cells as text, the positions of numbers, dates and booleans, and if there are any its hidden state and the faults of its cells by position.
 * @typedef {readonly [line: number, cells: readonly string[], typed: readonly number[], notes?: { readonly isHidden: boolean, readonly faults: readonly (readonly [number, CellFault])[] }]} Row
 */

/**
 * Returns the shared strings of a workbook, or null if it has no such part. The pronunciation of a text is not a part of it.
 * @param {AsyncIterable<string> | null} text
 * @param {import('./limits.mjs').Limits} limits
 */
export async function readSharedStrings(text, limits) {
  if (text === null) return null;
  /** @type {string[]} */
  const strings = [];
  let current = '';
  let isText = false;
  let isPhonetic = false;
  for await (const events of readXml(text))
    for (const event of events) {
      if ('text' in event) current += isText && !isPhonetic ? event.text : '';
      else if ('open' in event) {
        if (event.open === 'si') current = '';
        if (event.open === 't') isText = true;
        if (event.open === 'rPh') isPhonetic = true;
      } else {
        if (event.close === 't') isText = false;
        if (event.close === 'rPh') isPhonetic = false;
        if (event.close !== 'si') continue;
        limits.countString(current);
        strings.push(decodeCharacters(current));
      }
    }
  return strings;
}

/**
 * Reads the rows of a sheet: their numbers and their cells as text.
 * @param {AsyncIterable<string> | null} text
 * @param {readonly string[] | null} strings
 * @param {import('./workbook.mjs').CellFormats} formats
 * @returns {AsyncGenerator<Row>}
 */
export async function* readSheet(text, strings, formats) {
  let line = 0;
  let rows = 0;
  let isHidden = false;
  /** @type {string[]} */
  let cells = [];
  /** @type {number[]} */
  let typed = [];
  /** @type {[number, CellFault][]} */
  let faults = [];
  let cell = { column: 0, type: '', style: 0, text: '', isFormula: false, hasValue: false };
  let isText = false;
  let isPhonetic = false;
  let nextColumn = 0;
  for await (const events of readXml(text))
    for (const event of events) {
      if ('text' in event) {
        if (isText && !isPhonetic) cell.text += event.text;
      } else if ('open' in event) {
        const { open, attributes } = event;
        if (open === 'row') {
          const number = Number(attributes.r);
          line = Number.isInteger(number) && number >= 1 && number <= maxRows ? number : line + 1;
          rows += 1;
          // Blank rows are not sent to the parent, which counts the others.
          if (rows > maxRows) throw new WorkbookError('TOO_LARGE');
          isHidden = attributes.hidden === '1' || attributes.hidden === 'true';
          cells = [];
          typed = [];
          faults = [];
          nextColumn = 0;
        }
        if (open === 'c') {
          const column = attributes.r === undefined ? nextColumn : columnOf(attributes.r);
          const [type, style] = [attributes.t ?? 'n', Number(attributes.s ?? 0)];
          cell = { column, type, style, text: '', isFormula: false, hasValue: false };
          nextColumn = column + 1;
        }
        if (open === 'f') cell.isFormula = true;
        if (open === 'v') cell.hasValue = true;
        if (open === 'v' || open === 't') isText = true;
        if (open === 'rPh') isPhonetic = true;
      } else {
        const { close } = event;
        if (close === 'v' || close === 't') isText = false;
        if (close === 'rPh') isPhonetic = false;
        if (close === 'c') {
          const fault = findFault(cell, strings);
          if (fault !== null) faults.push([cell.column, fault]);
          if ('nbd'.includes(cell.type)) typed.push(cell.column);
          put(cells, Math.min(cell.column, maxColumns - 1), toText(cell, strings, formats));
        }
        if (close === 'row')
          yield isHidden || faults.length > 0 ? [line, cells, typed, { isHidden, faults }] : [line, cells, typed];
      }
    }
}

/**
 * @param {string[]} cells
 * @param {number} column
 * @param {string} text
 */
function put(cells, column, text) {
  if (text === '') return;
  // Two cells have the same place, so it is unknown which one counts.
  if (column < maxColumns - 1 && (cells[column] ?? '') !== '') throw new WorkbookError('UNREADABLE');
  while (cells.length < column) cells.push('');
  cells[column] = text;
}

/**
 * @param {{ readonly type: string, readonly text: string, readonly isFormula: boolean, readonly hasValue: boolean }} cell
 * @param {readonly string[] | null} strings
 * @returns {CellFault | null}
 */
function findFault({ type, text, isFormula, hasValue }, strings) {
  if (type === 'e') return 'ERROR';
  if (type === 's' && text !== '') {
    if (strings === null) throw new WorkbookError('UNREADABLE');
    return strings[Number(text)] === undefined ? 'NO_TEXT' : null;
  }
  // Excel stores an empty text, such as that of =IF(A1="","",A1), as an empty value of type `str`.
  return isFormula && text === '' && !(type === 'str' && hasValue) ? 'NO_VALUE' : null;
}

/**
 * @param {{ readonly type: string, readonly style: number, readonly text: string }} cell
 * @param {readonly string[] | null} strings
 * @param {import('./workbook.mjs').CellFormats} formats
 */
function toText({ type, style, text }, strings, formats) {
  if (text === '') return '';
  if (type === 's') return strings?.[Number(text)] ?? '';
  if (type === 'b') return text.trim() === '1' ? 'TRUE' : 'FALSE';
  return type === 'n' ? formats.toText(text, style) : decodeCharacters(text);
}

/**
 * Replaces the form in which workbooks contain control characters and some others: `_x000D_` is a carriage return.
 * @param {string} text
 */
function decodeCharacters(text) {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_match, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/**
 * Returns the position of a cell by its reference: 0 for `A1`, 27 for `AB12`.
 * @param {string} reference
 */
function columnOf(reference) {
  const [, letters] = /^([A-Z]{1,3})\d+$/.exec(reference.toUpperCase()) ?? [];
  if (letters === undefined) throw new WorkbookError('UNREADABLE');
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
