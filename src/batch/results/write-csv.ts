import type { RowStore } from '../storage/row-store';
import { toCsvLine } from './csv-cells';
import type { ResultTable } from './result-table';
import { readAllRows } from './row-chunks';

const byteOrderMark = '\uFEFF';

/** Writes the table as CSV. */
export async function* writeCsv(rows: RowStore, table: ResultTable): AsyncGenerator<string> {
  yield byteOrderMark + toCsvLine(table.columns.map(({ header }) => header));
  for await (const page of readAllRows(rows)) yield page.map((row) => toCsvLine(table.toCells(row))).join('');
}
