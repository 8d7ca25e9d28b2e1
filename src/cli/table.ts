/** A table of text. Cells that are numbers are aligned to the right. */
export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Returns the table with aligned columns and thousands separators. */
export function formatTable({ headings, rows }: Table): string {
  const isNumeric = headings.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  const lines = [headings, ...rows.map((row) => row.map((cell) => cell.toLocaleString('en-US')))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string => {
    const width = widths[column] ?? 0;
    return isNumeric[column] ? cell.padStart(width) : cell.padEnd(width);
  };
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('');
}

/** Returns the table as CSV. A cell that a spreadsheet would run as a formula begins with an apostrophe. */
export function formatCsv({ headings, rows }: Table): string {
  return [headings, ...rows].map((row) => `${row.map(csvCell).join(',')}\n`).join('');
}

function csvCell(value: string | number): string {
  const cell = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
