import { csvCell } from '../identifiers/csv-cell';
import { toVisible } from './terminal-text';

/** An amount in pesos as exact decimal text. */
export interface Amount {
  readonly amount: string;
}

export type TableCell = string | number | Amount;

/** A table of text. A column with numbers or amounts is aligned to the right. */
export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly TableCell[])[];
}

export function formatTable({ headings, rows }: Table): string {
  const isNumeric = headings.map((_, column) => rows.some((row) => typeof row[column] !== 'string'));
  const lines = [headings.map(toVisible), ...rows.map((row) => row.map(tableCell))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string => {
    const width = widths[column] ?? 0;
    return isNumeric[column] ? cell.padStart(width) : cell.padEnd(width);
  };
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('');
}

function tableCell(cell: TableCell): string {
  if (typeof cell === 'string') return toVisible(cell);
  return typeof cell === 'object' ? formatAmount(cell.amount) : cell.toLocaleString('en-US');
}

export function formatAmount(amount: string): string {
  const [whole = '', decimals = ''] = amount.split('.');
  return `${BigInt(whole).toLocaleString('en-US')}.${decimals}`;
}

/** Byte order mark. Without it, spreadsheets assume a local encoding and show accents wrongly. */
const byteOrderMark = '\uFEFF';

export function formatCsv({ headings, rows }: Table): string {
  return byteOrderMark + [headings, ...rows].map((row) => `${row.map(toCsvCell).join(',')}\n`).join('');
}

function toCsvCell(cell: TableCell): string {
  if (typeof cell === 'object') return cell.amount;
  return typeof cell === 'number' ? String(cell) : csvCell(cell);
}
