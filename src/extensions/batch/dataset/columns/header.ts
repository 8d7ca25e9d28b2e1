import { holdsNul } from '../../../../identifiers/json-value';
import type { Text } from '../../../../identifiers/text';
import { DatasetError } from '../dataset';

/** Maximum columns of a dataset, and members of an object in JSON lines. */
export const maxColumns = 200;
/** Longer names are rejected before they are compared. Messages and the list of columns repeat the names. */
export const maxNameLength = 500;

export type HeaderFit = (columns: readonly string[]) => boolean;

export interface FoundHeader {
  readonly index: number;
  readonly columns: number;
  readonly isFitting: boolean;
}

/** Finds the header in the first rows of a table: the first row that fits, otherwise the first of those with the most cells. */
export function findHeader(rows: readonly (readonly string[])[], fits: HeaderFit): FoundHeader {
  const counts = rows.map((row) => row.filter((cell) => cell.trim() !== '').length);
  const fitting = rows.findIndex((row, index) => {
    const columns = toColumns(row);
    return (counts[index] ?? 0) > 0 && findNameProblem(columns) === null && fits(columns);
  });
  const index = fitting >= 0 ? fitting : Math.max(0, counts.indexOf(Math.max(...counts)));
  return { index, columns: counts[index] ?? 0, isFitting: fitting >= 0 };
}

export const toColumns = (row: readonly string[]): readonly string[] => row.map((name) => name.trim());

export function checkHeader(columns: readonly string[]): void {
  const problem = findNameProblem(columns);
  if (problem !== null) throw new DatasetError(problem);
}

export function findNameProblem(columns: readonly string[]): Text | null {
  if (columns.length > maxColumns) return tooManyColumns;
  if (columns.some((name) => name.length > maxNameLength)) return longName;
  return columns.some(holdsNul) ? nulInName : null;
}

export const emptyFile: Text = {
  english: 'The file is empty. Begin it with the names of the columns.',
  spanish: 'El archivo está vacío. Debe empezar con los nombres de las columnas.',
};
const longName: Text = {
  english: `The name of a column has more than ${maxNameLength} characters. Use shorter names.`,
  spanish: `El nombre de una columna tiene más de ${maxNameLength} caracteres. Use nombres más cortos.`,
};
const tooManyColumns: Text = {
  english: `There are more than ${maxColumns} columns.`,
  spanish: `Hay más de ${maxColumns} columnas.`,
};
const nulInName: Text = {
  english: 'The name of a column has a NUL character (U+0000). Remove it.',
  spanish: 'El nombre de una columna tiene un carácter NUL (U+0000). Quítelo.',
};
