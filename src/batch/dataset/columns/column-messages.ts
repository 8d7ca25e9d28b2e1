import type { Remark, SheetNames } from '../../batch';
import { listNames, nearestNames } from './nearest-names';

/** Maximum variables whose names are compared with those of all columns. */
const maxCompared = 10;

/** Returns why a file with these two columns is rejected. The message may quote them, because their names are not personal data. */
export const explainCollision = (first: string, second: string, place: string): Remark => ({
  english: `The columns \`${first}\` and \`${second}\` both fill \`${place}\`, because case, blanks, punctuation and accents are ignored. Remove one of them, or choose one (\`columns\`, or \`--map\` on the command line).`,
  spanish: `Las columnas \`${first}\` y \`${second}\` llenan \`${place}\`, porque no se distinguen mayúsculas, espacios, signos ni acentos. Quite una de las dos o elija una (\`columns\`, o \`--map\` en la línea de comandos).`,
});

/** Returns why a file is rejected that has no columns for these variables. */
export function explainMissing(missing: readonly string[], header: readonly string[]): Remark {
  const [first = ''] = missing;
  const list = listNames(missing);
  const nearest = missing
    .slice(0, maxCompared)
    .flatMap((path) => nearestNames(path.split('.').at(-1) ?? '', header))
    .slice(0, 3);
  const example = nearest[0] ?? header.find((name) => name !== '') ?? '';
  const [english, spanish] =
    missing.length === 1
      ? [`No column has the name of the variable ${list}.`, `Ninguna columna tiene el nombre de la variable ${list}.`]
      : [
          `No columns have the names of the variables ${list}.`,
          `Ninguna columna tiene el nombre de las variables ${list}.`,
        ];
  return {
    english: `${english} Columns of the file: ${listNames(header)}.${nearest.length === 0 ? '' : ` The nearest names: ${listNames(nearest)}.`} Rename a column, or choose one (\`columns\`, or \`--map "${example}=${first}"\` on the command line).`,
    spanish: `${spanish} Columnas del archivo: ${listNames(header)}.${nearest.length === 0 ? '' : ` Los más parecidos: ${listNames(nearest)}.`} Cambie el nombre de una columna o elija una (\`columns\`, o \`--map "${example}=${first}"\` en la línea de comandos).`,
  };
}

/** Returns the reason with the name of the sheet to which it applies, and those of the other sheets. */
export function withSheet({ english, spanish }: Remark, { sheet, sheets }: SheetNames): Remark {
  if (sheet === null) return { english, spanish };
  const otherSheets = listNames(sheets.filter((name) => name !== sheet));
  const isOnly = sheets.length === 1;
  return {
    english: `${english} The sheet is ${listNames([sheet])}.${isOnly ? '' : ` To use another one (${otherSheets}), choose it (\`sheet\`, or \`--sheet\` on the command line).`}`,
    spanish: `${spanish} La hoja es ${listNames([sheet])}.${isOnly ? '' : ` Para usar otra (${otherSheets}), elíjala (\`sheet\`, o \`--sheet\` en la línea de comandos).`}`,
  };
}

/** Returns why a file is rejected that lacks a chosen column. */
export function explainAbsent(column: string, header: readonly string[]): Remark {
  const nearest = nearestNames(column, header);
  return {
    english: `The file has no column \`${column}\`. Columns of the file: ${listNames(header)}.${nearest.length === 0 ? '' : ` The nearest names: ${listNames(nearest)}.`}`,
    spanish: `El archivo no tiene la columna \`${column}\`. Columnas del archivo: ${listNames(header)}.${nearest.length === 0 ? '' : ` Los más parecidos: ${listNames(nearest)}.`}`,
  };
}
