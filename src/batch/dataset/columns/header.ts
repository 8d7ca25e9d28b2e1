import type { Remark } from '../../batch';
import { DatasetError } from '../dataset';

const maxColumns = 200;

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
  const fitting = rows.findIndex((row, index) => (counts[index] ?? 0) > 0 && fits(toColumns(row)));
  const index = fitting >= 0 ? fitting : Math.max(0, counts.indexOf(Math.max(...counts)));
  return { index, columns: counts[index] ?? 0, isFitting: fitting >= 0 };
}

export const toColumns = (row: readonly string[]): readonly string[] => row.map((name) => name.trim());

/** Throws a `DatasetError` if there are too many columns, or two with the same name. */
export function checkHeader(columns: readonly string[]): void {
  if (columns.length > maxColumns) throw new DatasetError(tooManyColumns);
  const names = columns.filter((name) => name !== '');
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new DatasetError(sameName(repeated));
}

export const emptyFile: Remark = {
  english: 'The file is empty. Begin it with the names of the columns.',
  spanish: 'El archivo está vacío. Debe empezar con los nombres de las columnas.',
};
export const tooManyColumns: Remark = {
  english: `The file has more than ${maxColumns} columns.`,
  spanish: `El archivo tiene más de ${maxColumns} columnas.`,
};
export const sameName = (name: string): Remark => ({
  english: `Two columns have the same name (\`${name}\`). Rename or remove one of them.`,
  spanish: `Dos columnas tienen el mismo nombre (\`${name}\`). Cambie el nombre de una o quítela.`,
});
