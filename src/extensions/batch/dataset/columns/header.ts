import { holdsNul } from '../../../../identifiers/json-value';
import type { Text } from '../../../../identifiers/text';
import { DatasetError } from '../dataset';
import { isHeading } from './column-messages';

/** Maximum columns of a dataset, and members of an object in JSON lines. */
export const maxColumns = 200;
/** Longer names are rejected before they are compared. Messages and the list of columns repeat the names. */
export const maxNameLength = 500;

export type HeaderFit = (columns: readonly string[]) => boolean;

export interface FoundHeader {
  readonly index: number;
  /** Rows of the header: 2 if a name is merged over the names of parts, such as those of a name. */
  readonly height: 1 | 2;
  readonly columns: number;
  readonly isFitting: boolean;
}

/** Finds the header in the first rows of a table: the first row that fits, otherwise the first of those with the most cells. */
export function findHeader(rows: readonly (readonly string[])[], fits: HeaderFit): FoundHeader {
  const heads = rows.flatMap((row, index) => {
    const below = rows[index + 1] ?? [];
    const heights = isMergedOver(toColumns(row), toColumns(below)) ? ([2, 1] as const) : ([1] as const);
    return heights.map((height) => ({ index, height, names: toColumns(row, height === 2 ? below : []) }));
  });
  const counted = heads.map((head) => ({ ...head, columns: head.names.filter((name) => name !== '').length }));
  const fitting = counted.find(({ names, columns }) => columns > 0 && findNameProblem(names) === null && fits(names));
  const widest = Math.max(...counted.map(({ columns }) => columns));
  const { index = 0, height = 1, columns = 0 } = fitting ?? counted.find((head) => head.columns === widest) ?? {};
  return { index, height, columns, isFitting: fitting !== undefined };
}

/**
 * Whether the second row only has usual headings, below merged names, and nothing below at least one other name. A row of data has
 * other values, which must not become names.
 */
function isMergedOver(top: readonly string[], below: readonly string[]): boolean {
  const isBlank = (row: readonly string[], index: number): boolean => (row[index] ?? '') === '';
  const parts = [...below.keys()].filter((index) => !isBlank(below, index));
  const isWithin = parts.every((index) => isBlank(top, index) || isBlank(top, index + 1));
  const isBelowBlank = parts.some((index) => isBlank(top, index));
  const isWhole = top.some((_, index) => !isBlank(top, index) && isBlank(below, index));
  return isWithin && isBelowBlank && isWhole && parts.every((index) => isHeading(below[index] ?? ''));
}

/** Returns the names of columns. In a merged header, the names of parts are in the row below. */
export const toColumns = (row: readonly string[], below: readonly string[] = []): readonly string[] =>
  Array.from({ length: Math.max(row.length, below.length) }, (_, index) => {
    return (below[index] ?? '').trim() || (row[index] ?? '').trim();
  });

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
