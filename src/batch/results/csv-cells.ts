import type { Cell } from './flatten';

/** Beginning of a text that spreadsheets take for a formula, including full-width forms. */
const formulaStart = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;
/** An amount is not a formula. */
const plainNumber = /^-?\d+(\.\d+)?$/;
const needsQuotes = /[",\n\r;\t]/;

/** A line of a table. */
export function toCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(toCsvCell).join(',')}\r\n`;
}

/** Text that could be run when the file is opened begins with an apostrophe, which spreadsheets show as text. */
export function toCsvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const isFormula = (formulaStart.test(cell) && !plainNumber.test(cell)) || /^[\t\r\n]/.test(cell);
  const text = isFormula ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
