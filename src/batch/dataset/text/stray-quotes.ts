/** Maximum difference in length between two labels or two identifiers of the same column. */
const maxLengthDifference = 1;

/**
 * Whether a quoted cell contains other rows, because a quote is missing or superfluous. That is assumed if the lines of the
 * cell, read as rows, have a text in some column that looks like the row's identifier or label in the same column.
 */
export function containsOtherRows(record: readonly string[], delimiter: string): boolean {
  return record.some((cell, column) => {
    const lines = cell.split('\n');
    if (lines.length === 1) return false;
    // If no delimiter follows the closing quote, csv-parse leaves the opening quote in the cell.
    if (cell.startsWith('"') && cell.includes(delimiter)) return true;
    return lines.some((line, index) => {
      const first = index === 0 ? column : 0;
      return line.split(delimiter).some((text, offset) => {
        const place = first + offset;
        return place !== column && isAlike(text, record[place] ?? '');
      });
    });
  });
}

/** Whether two texts with digits look like values of the same column, such as `E-001` and `E-002`, or two NSS. */
function isAlike(left: string, right: string): boolean {
  // The lengths are compared first, because a cell can have many lines, and a text can be long.
  if (Math.abs(left.length - right.length) > maxLengthDifference) return false;
  return /\d/.test(left) && /\d/.test(right) && shapeOf(left) === shapeOf(right);
}

const shapeOf = (text: string): string => text.trim().replace(/[\p{L}\d]+/gu, 'x');

/** Returns the text of a row from its unclosed quote to the end. Returns null if all quotes are closed. */
export function findOpenQuote(row: string, delimiter: string): string | null {
  const opening = new RegExp(`(?:^|[${delimiter}\n])("[^"]*(?:""[^"]*)*)$`);
  return opening.exec(row)?.[1] ?? null;
}
