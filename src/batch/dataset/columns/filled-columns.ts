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
