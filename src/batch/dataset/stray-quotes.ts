/** Lengths of two labels or identifiers of one column differ by this much at most. */
const maxLengthDifference = 1;

/**
 * Whether a quoted cell of a row has swallowed other rows, since a quote is missing or stray: one of its lines has, where the row has an
 * identifier or a label, a text of the same shape.
 */
export function hasSwallowedRows(record: readonly string[], delimiter: string): boolean {
  return record.some((cell, column) => {
    const lines = cell.split('\n');
    if (lines.length === 1) return false;
    // A closing quote that no delimiter follows makes csv-parse keep the opening one.
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

/** Whether two texts with digits look like two values of one column: `E-001` and `E-002`, one NSS and another. */
function isAlike(left: string, right: string): boolean {
  const hasDigits = /\d/.test(left) && /\d/.test(right);
  return hasDigits && Math.abs(left.length - right.length) <= maxLengthDifference && shapeOf(left) === shapeOf(right);
}

const shapeOf = (text: string): string => text.trim().replace(/[\p{L}\d]+/gu, 'x');

/** Returns the text of a row from its open quote on; null if all its quotes are closed. */
export function findOpenQuote(row: string, delimiter: string): string | null {
  const opening = new RegExp(`(?:^|[${delimiter}\n])("[^"]*(?:""[^"]*)*)$`);
  return opening.exec(row)?.[1] ?? null;
}
