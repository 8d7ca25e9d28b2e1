import { csvCell } from '../../../identifiers/csv-cell';
import { type Language, say } from '../../../identifiers/text';
import type { BatchRow, RowStore } from '../storage/row-store';
import { type Cell, inputObject, type ResultTable } from './result-table';
import { readAllRows } from './row-chunks';

export async function* writeJsonl(
  rows: RowStore,
  inputColumns: readonly string[],
  language: Language,
): AsyncGenerator<string> {
  for await (const page of readAllRows(rows))
    yield page.map((row) => `${JSON.stringify(toJson(row, inputColumns, language))}\n`).join('');
}

function toJson(row: BatchRow, inputColumns: readonly string[], language: Language) {
  const { ref, number, line, state, attempts, units, uncertain, remarks, result } = row;
  const { problems = [], lookups = [], errors = [], data = null } = result ?? {};
  return {
    ref,
    row: number,
    line,
    state,
    attempts,
    units,
    uncertainUnits: uncertain,
    input: inputObject(row, inputColumns),
    remarks: remarks.map((remark) => say(remark, language)),
    problems: problems.map(({ code, message, path }) => ({ code, message, path })),
    lookups,
    errors,
    data,
  };
}

const byteOrderMark = '\uFEFF';

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
