/** An amount in pesos as exact decimal text. */
export interface Amount {
  readonly amount: string;
}

export type TableCell = string | number | Amount;

/** A table of text. Cells that are numbers or amounts are aligned to the right. */
export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly TableCell[])[];
}

/** Returns the table with aligned columns and thousands separators. */
export function formatTable({ headings, rows }: Table): string {
  const isNumeric = headings.map((_, column) => rows.some((row) => typeof row[column] !== 'string'));
  const lines = [headings, ...rows.map((row) => row.map(tableCell))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string => {
    const width = widths[column] ?? 0;
    return isNumeric[column] ? cell.padStart(width) : cell.padEnd(width);
  };
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('');
}

function tableCell(cell: TableCell): string {
  return typeof cell === 'object' ? formatAmount(cell.amount) : cell.toLocaleString('en-US');
}

/** Returns an amount with thousands separators. */
export function formatAmount(amount: string): string {
  const [whole = '', decimals = ''] = amount.split('.');
  return `${BigInt(whole).toLocaleString('en-US')}.${decimals}`;
}

/** Byte order mark. Without it, spreadsheets assume a local encoding and show accents wrongly. */
const byteOrderMark = '\uFEFF';

/** Returns the table as CSV for a spreadsheet. A cell that a spreadsheet would run as a formula begins with an apostrophe. */
export function formatCsv({ headings, rows }: Table): string {
  return byteOrderMark + [headings, ...rows].map((row) => `${row.map(csvCell).join(',')}\n`).join('');
}

function csvCell(value: TableCell): string {
  if (typeof value === 'object') return value.amount;
  const cell = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
