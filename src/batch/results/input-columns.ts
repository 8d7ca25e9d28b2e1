import type { BatchHeader } from '../batch';
import type { BatchRow } from '../storage/row-store';

/**
 * Returns the names of the dataset's columns. A batch of an earlier version does not have them. The label and the variables
 * stand in for them.
 */
export const inputColumnsOf = ({ inputColumns }: BatchHeader, variables: readonly string[]): readonly string[] =>
  inputColumns.length > 0 ? inputColumns : ['ref', ...variables];

/** Returns the cells of a row in the order of the dataset's columns. */
export function inputCells(
  { cells, ref, variables }: BatchRow,
  columns: readonly string[],
): readonly (string | null)[] {
  if (cells.length > 0) return columns.map((_column, index) => (index < cells.length ? (cells[index] ?? null) : ''));
  return columns.map((column) => {
    if (column === 'ref') return ref ?? '';
    return Object.hasOwn(variables, column) ? toText(variables[column]) : '';
  });
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

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
