// @ts-check
import { readXml } from './xml.mjs';

/** Maximum rows of a sheet in Excel. */
const maxRows = 1_048_576;
/** Maximum columns that are read. One more than padron allows, so that padron sees the excess. */
const maxColumns = 201;

/**
 * Returns the shared strings of a workbook. The pronunciation of a text is not a part of it.
 * @param {AsyncIterable<string> | null} text
 * @param {import('./limits.mjs').Limits} limits
 */
export async function readSharedStrings(text, limits) {
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
 * Reads the rows of a sheet: their numbers, their cells as text, and the positions of numbers, dates and booleans.
 * @param {AsyncIterable<string> | null} text
 * @param {readonly string[]} strings
 * @param {import('./workbook.mjs').CellFormats} formats
 * @returns {AsyncGenerator<readonly [number, readonly string[], readonly number[]]>}
 */
export async function* readSheet(text, strings, formats) {
  let line = 0;
  /** @type {string[]} */
  let cells = [];
  /** @type {number[]} */
  let typed = [];
  let cell = { column: 0, type: '', style: 0, text: '' };
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
          cells = [];
          typed = [];
          nextColumn = 0;
        }
        if (open === 'c') {
          const column = attributes.r === undefined ? nextColumn : columnOf(attributes.r);
          cell = { column, type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), text: '' };
          nextColumn = column + 1;
        }
        if (open === 'v' || open === 't') isText = true;
        if (open === 'rPh') isPhonetic = true;
      } else {
        const { close } = event;
        if (close === 'v' || close === 't') isText = false;
        if (close === 'rPh') isPhonetic = false;
        if (close === 'c') put(cells, Math.min(cell.column, maxColumns - 1), toText(cell, strings, formats));
        if (close === 'c' && 'nbd'.includes(cell.type)) typed.push(cell.column);
        if (close === 'row') yield [line, cells, typed];
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
  while (cells.length < column) cells.push('');
  cells[column] = text;
}

/**
 * @param {{ readonly type: string, readonly style: number, readonly text: string }} cell
 * @param {readonly string[]} strings
 * @param {import('./workbook.mjs').CellFormats} formats
 */
function toText({ type, style, text }, strings, formats) {
  if (type === 's') return strings[Number(text)] ?? '';
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
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
