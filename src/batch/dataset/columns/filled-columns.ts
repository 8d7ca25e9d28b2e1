import type { Remark } from '../../batch';

const maxShownLength = 60;

/** The columns of a row by the path of the variable that they fill. */
export type FilledColumns = ReadonlyMap<string, string>;

/** Returns the name of the column that fills a variable, with the variable if its name differs, for a message. */
export function nameColumn(columns: FilledColumns, variable: string): string {
  const column = columns.get(variable) ?? variable;
  return column === variable ? `\`${variable}\`` : `\`${shorten(column)}\` (\`${variable}\`)`;
}

/** Shortens the name of a column, because the message of each row may repeat it. */
export const shorten = (column: string): string => column.slice(0, maxShownLength);

/** Returns the reason for a row without a value of a variable. It names the empty cells by the columns that fill the variable. */
export function noValue(variable: string, columns: FilledColumns): Remark {
  const paths = [...columns.keys()].filter((path) => path === variable || path.startsWith(`${variable}.`));
  const names = paths.map((path) => nameColumn(columns, path)).join(', ');
  if (paths.length === 0)
    return {
      english: `The variable \`${variable}\` has no value.`,
      spanish: `La variable \`${variable}\` no tiene valor.`,
    };
  return paths.length === 1
    ? { english: `The cell in the column ${names} is empty.`, spanish: `La celda de la columna ${names} está vacía.` }
    : {
        english: `The cells in the columns ${names} are empty.`,
        spanish: `Las celdas de las columnas ${names} están vacías.`,
      };
}
