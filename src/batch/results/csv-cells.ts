import { csvCell } from '../../text/csv-cell';
import type { Cell } from './answer-value';

export function toCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(toCsvCell).join(',')}\r\n`;
}

function toCsvCell(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? csvCell(cell) : String(cell);
}
