import type { Cell } from './answer-value';

/** Matches a text that spreadsheets treat as a formula, also with full-width signs. */
const formulaStart = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;
/** Matches a number, which is not a formula although it may begin with a minus sign. */
const plainNumber = /^-?\d+(\.\d+)?$/;
/** Matches what Excel users write to keep leading zeros, such as `="041"`. It only contains a text. */
const quotedText = /^="[0-9A-Za-z]*"$/;
const needsQuotes = /[",\n\r;\t]/;

export function toCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(toCsvCell).join(',')}\r\n`;
}

/** Returns a cell. An apostrophe is added before a formula, so that spreadsheets show it as text. */
export function toCsvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const isHarmless = plainNumber.test(cell) || quotedText.test(cell);
  const isFormula = (formulaStart.test(cell) && !isHarmless) || /^[\t\r\n]/.test(cell);
  const text = isFormula ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
