/** Matches a text that spreadsheets treat as a formula, also with full-width signs. */
const formulaStart = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;
/** Matches a number or a lone dash, which are not formulas although they may begin with a minus sign. */
const plainNumber = /^-?\d+(\.\d+)?$|^-$/;
/** Matches what Excel users write to keep leading zeros, such as `="041"`. It only contains a text. */
const quotedText = /^="[0-9A-Za-z]*"$/;
/**
 * Matches the places where a cell would begin if a spreadsheet splits the file at semicolons instead of commas, and what is there: a
 * negative number, the sign of a formula, or other text. Such a spreadsheet does not recognize the quotes around the cell.
 */
const innerStart = /([;\r\n][\s\p{Cc}\p{Cf}"]*)(-\d+(?:\.\d+)?(?=[;\r\n]|$)|[=+\-@＝＋－＠])?/gu;
const needsQuotes = /[",\n\r;\t]/;

/**
 * Returns a text as a cell of CSV with commas. An apostrophe is added before a formula, so that spreadsheets show it as text, also
 * within the cell where a spreadsheet that splits at semicolons would begin another cell.
 */
export function csvCell(text: string): string {
  const isHarmless = plainNumber.test(text) || quotedText.test(text);
  const isFormula = (formulaStart.test(text) && !isHarmless) || /^[\t\r\n]/.test(text);
  const safe = `${isFormula ? "'" : ''}${text.replace(innerStart, protect)}`;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Adds an apostrophe before the sign of a formula, which has one character. A negative number has more. */
const protect = (match: string, gap: string, start = ''): string => (start.length === 1 ? `${gap}'${start}` : match);
