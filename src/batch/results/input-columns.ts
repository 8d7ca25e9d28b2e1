import type { BatchHeader } from '../batch';
import type { BatchRow } from '../storage/row-store';

/** A column of the dataset in the table of results. */
export interface InputColumn {
  readonly name: string;
  /** Whether its numbers, dates and booleans are such values in a workbook. Otherwise all of its cells are text. */
  readonly isTyped: boolean;
  /** Path of the variable with the values as padron read them. Null if padron read them all as they are in the file. */
  readonly readPath: readonly string[] | null;
}

/** Returns the columns of the dataset. */
export function toInputColumns(header: BatchHeader): readonly InputColumn[] {
  const { columns, inputColumns, typedColumns, repairedColumns } = header;
  return inputColumns.map((name, position) => {
    const variable = repairedColumns.includes(name) ? columns.find((column) => column.name === name)?.variable : null;
    return { name, isTyped: typedColumns.includes(position), readPath: variable?.split('.') ?? null };
  });
}

/** Returns the cells of a row in the order of the dataset's columns. */
export function inputCells({ cells }: BatchRow, columns: readonly string[]): readonly (string | null)[] {
  return columns.map((_column, index) => (index < cells.length ? (cells[index] ?? null) : ''));
}

/** Returns the cells of a row by column. A column without a name gets its position as its name. */
export function inputObject(row: BatchRow, columns: readonly string[]): Readonly<Record<string, string | null>> {
  const cells = inputCells(row, columns);
  const named = columns.map((name, index) => name || (uniqueNames([`column ${index + 1}`], columns)[0] ?? ''));
  return Object.fromEntries(named.map((name, index) => [name, cells[index] ?? null]));
}

/** Adds a number to every name that is already taken. Case is ignored, as spreadsheets do. */
export function uniqueNames(names: readonly string[], alreadyTaken: readonly string[]): readonly string[] {
  const taken = new Set(alreadyTaken.map((name) => name.toLowerCase()));
  return names.map((name) => {
    let unique = name;
    for (let count = 2; taken.has(unique.toLowerCase()); count += 1) unique = `${name} (${count})`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}
