import { csvCell } from '../../text/csv-cell';
import type { RowStore } from '../storage/row-store';
import type { Cell } from './answer-value';
import type { ResultTable } from './result-table';
import { readAllRows } from './row-chunks';

const byteOrderMark = '\uFEFF';

/** Writes the table as CSV. */
export async function* writeCsv(rows: RowStore, table: ResultTable): AsyncGenerator<string> {
  yield byteOrderMark + toCsvLine(table.columns.map(({ header }) => header));
  for await (const page of readAllRows(rows)) yield page.map((row) => toCsvLine(table.toCells(row))).join('');
}

function toCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(toCsvCell).join(',')}\r\n`;
}

function toCsvCell(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? csvCell(cell) : String(cell);
}
