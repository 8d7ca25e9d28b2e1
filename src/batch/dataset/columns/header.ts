import type { Remark } from '../../batch';
import { DatasetError } from '../dataset';

const maxColumns = 200;
/** Longer names are rejected before they are compared, because folding a name takes time in proportion to its length. */
export const maxNameLength = 500;

/** Returns whether these columns can fill the variables of the operation. */
export type HeaderFit = (columns: readonly string[]) => boolean;

/** The row that is most likely the header, and whether its columns fit the operation. */
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
    return (counts[index] ?? 0) > 0 && findExcess(columns) === null && fits(columns);
  });
  const index = fitting >= 0 ? fitting : Math.max(0, counts.indexOf(Math.max(...counts)));
  return { index, columns: counts[index] ?? 0, isFitting: fitting >= 0 };
}

export const toColumns = (row: readonly string[]): readonly string[] => row.map((name) => name.trim());

/** Throws a `DatasetError` if there are too many columns, a name is too long, or two columns have the same name. */
export function checkHeader(columns: readonly string[]): void {
  const excess = findExcess(columns);
  if (excess !== null) throw new DatasetError(excess);
  const names = columns.filter((name) => name !== '');
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new DatasetError(sameName(repeated));
}

function findExcess(columns: readonly string[]): Remark | null {
  if (columns.length > maxColumns) return tooManyColumns;
  return columns.some((name) => name.length > maxNameLength) ? longName : null;
}

export const emptyFile: Remark = {
  english: 'The file is empty. Begin it with the names of the columns.',
  spanish: 'El archivo está vacío. Debe empezar con los nombres de las columnas.',
};
const longName: Remark = {
  english: `The name of a column has more than ${maxNameLength} characters. Use shorter names in the header.`,
  spanish: `El nombre de una columna tiene más de ${maxNameLength} caracteres. Use nombres más cortos en el encabezado.`,
};
const tooManyColumns: Remark = {
  english: `The file has more than ${maxColumns} columns.`,
  spanish: `El archivo tiene más de ${maxColumns} columnas.`,
};
const sameName = (name: string): Remark => ({
  english: `Two columns have the same name (\`${name}\`). Rename or remove one of them.`,
  spanish: `Dos columnas tienen el mismo nombre (\`${name}\`). Cambie el nombre de una o quítela.`,
});
