import { joinTexts, type Text } from '../../../../identifiers/text';
import { looksPersonal } from '../../../../registry/caller';
import type { SheetNames } from '../../batch';
import type { ColumnSuggestion } from '../dataset';
import { type ColumnTarget, foldName, listNames, nearestNames } from './match-column';

export interface ColumnProblem {
  readonly reason: Text;
  /** Sentences between the reason and the advice. */
  readonly facts: Text;
  /** Beginning of the advice, before "or choose one". Null if choosing another column does not help. */
  readonly advice: Text | null;
  readonly targets: readonly ColumnTarget[];
}

const nothing: Text = { english: '', spanish: '' };

/** Returns why a file with these two columns is rejected. The message may quote them, because their names are not personal data. */
export const explainCollision = (first: string, second: string, target: ColumnTarget): ColumnProblem => ({
  reason: {
    english: `The columns \`${first}\` and \`${second}\` both fill \`${target.path.join('.')}\`.`,
    spanish: `Las columnas \`${first}\` y \`${second}\` llenan \`${target.path.join('.')}\`.`,
  },
  facts: nothing,
  advice: { english: 'Remove one of the columns', spanish: 'Quite una de las columnas' },
  targets: [target],
});

export const explainRepeated = (name: string): ColumnProblem => ({
  reason: {
    english: `Two columns have the same name (\`${name}\`). Rename or remove one of them.`,
    spanish: `Dos columnas tienen el mismo nombre (\`${name}\`). Cambie el nombre de una o quítela.`,
  },
  facts: nothing,
  advice: null,
  targets: [],
});

/** Folded headings of a column that usually has whole names. */
const wholeName = [
  ...['name', 'fullname', 'nombre', 'nombres', 'nombrecompleto', 'nombreyapellidos', 'nombreyapellido'],
  ...['apellidosynombre', 'apellidosynombres', 'nombredelempleado', 'nombredeltrabajador', 'empleado', 'trabajador'],
  ...['nombresyapellidos', 'nombresyapellido', 'nombrecompletodelempleado', 'nombrecompletodeltrabajador'],
  ...['nombredelasegurado', 'nombrecompletodelasegurado', 'employee', 'employeename'],
];

export const isWholeName = (heading: string): boolean => wholeName.includes(foldName(heading));

/** Words of headings. A first row without any of them may be a person's, because the file has no header. */
const headingWords: ReadonlySet<string> = new Set([
  ...['nss', 'imss', 'curp', 'rfc', 'nombre', 'nombres', 'apellido', 'apellidos', 'paterno', 'materno', 'seguro'],
  ...['seguridad', 'afiliacion', 'registro', 'patronal', 'cedula', 'folio', 'clave', 'fecha', 'mes', 'periodo'],
  ...['numero', 'num', 'no', 'id', 'ref', 'empleado', 'empleada', 'trabajador', 'trabajadora', 'correo', 'puesto'],
  ...['departamento', 'area', 'sueldo', 'salario', 'nomina', 'importe', 'total', 'name', 'names', 'surname'],
  ...['paternalsurname', 'maternalsurname', 'number', 'month', 'date', 'birthdate', 'registration', 'note'],
  ...['worker', 'employee', 'person'],
]);

export function isHeading(name: string): boolean {
  const words = [name, ...name.split(/[^\p{L}\p{N}]+/u)];
  return !looksPersonal(name) && words.some((word) => headingWords.has(foldName(word)));
}

/** Returns the columns that an error may name: none if the first row may be that of a person. */
export const shownColumns = (header: readonly string[]): readonly string[] =>
  header.some(isHeading) ? header.filter((name) => !looksPersonal(name)) : [];

function listColumns(header: readonly string[]): Text {
  const shown = shownColumns(header);
  if (header.length > 0 && shown.length === 0)
    return {
      english:
        ' The first row has no usual name of a column, and is not shown because it may be data. Begin the file with the names of the columns.',
      spanish:
        ' La primera fila no tiene ningún nombre usual de columna y no se muestra porque pueden ser datos. El archivo debe empezar con los nombres de las columnas.',
    };
  return {
    english: ` Columns of the file: ${listNames(shown)}.`,
    spanish: ` Columnas del archivo: ${listNames(shown)}.`,
  };
}

export function explainMissing(missing: readonly ColumnTarget[], header: readonly string[]): ColumnProblem {
  const list = listNames(missing.map(({ path }) => path.join('.')));
  const [english, spanish] =
    missing.length === 1
      ? [`No column has the name of the variable ${list}.`, `Ninguna columna tiene el nombre de la variable ${list}.`]
      : [
          `No columns have the names of the variables ${list}.`,
          `Ninguna columna tiene el nombre de las variables ${list}.`,
        ];
  const needsParts = missing.some(({ path }) => path.at(-1) === 'paternalSurname');
  const whole = needsParts ? header.find(isWholeName) : undefined;
  const split = whole === undefined ? nothing : splitName(listNames([whole]));
  return {
    reason: joinTexts([{ english, spanish }, split]),
    facts: listColumns(header),
    advice: whole === undefined ? { english: 'Rename a column', spanish: 'Cambie el nombre de una columna' } : null,
    targets: missing,
  };
}

const splitName = (column: string): Text => ({
  english: ` The operation needs the parts of the name in separate columns: names, first surname and second surname. Split ${column} in the spreadsheet (in Excel with Data, Text to Columns), check surnames of several words such as "de la Cruz", and name the columns "Nombre(s)", "Apellido paterno" and "Apellido materno".`,
  spanish: ` La operación necesita las partes del nombre en columnas separadas: nombres, apellido paterno y apellido materno. Separe ${column} en la hoja de cálculo (en Excel, con Datos, Texto en columnas), revise los apellidos de varias palabras, como «de la Cruz», y llame a las columnas «Nombre(s)», «Apellido paterno» y «Apellido materno».`,
});

/** Returns the message about a problem of columns. It only names a column to choose if one was found by its values. */
export function toMessage(
  { reason, facts, advice }: ColumnProblem,
  found: Text = nothing,
  suggestion?: Pick<ColumnSuggestion, 'column' | 'variable'>,
): Text {
  const map = suggestion === undefined ? '--column' : `--column "${suggestion.column}=${suggestion.variable}"`;
  const choice = {
    english: ` ${advice?.english}, or choose one (\`columns\`, or \`${map}\` on the command line).`,
    spanish: ` ${advice?.spanish} o elija una (\`columns\`, o \`${map}\` en la línea de comandos).`,
  };
  return joinTexts([reason, facts, found, ...(advice === null ? [] : [choice])]);
}

export const explainSuggestion = ({ column, variable, valid, filled }: ColumnSuggestion): Text => ({
  english: ` Of the values of ${listNames([column])}, ${valid} of ${filled} are valid for \`${variable}\`.`,
  spanish: ` De los valores de ${listNames([column])}, ${valid} de ${filled} son válidos para \`${variable}\`.`,
});

export function withSheet({ english, spanish }: Text, { sheet, sheets }: SheetNames): Text {
  if (sheet === null) return { english, spanish };
  const otherSheets = listNames(sheets.filter((name) => name !== sheet));
  const isOnly = sheets.length === 1;
  return {
    english: `${english} The sheet is ${listNames([sheet])}.${isOnly ? '' : ` To use another one (${otherSheets}), choose it (\`sheet\`, or \`--sheet\` on the command line).`}`,
    spanish: `${spanish} La hoja es ${listNames([sheet])}.${isOnly ? '' : ` Para usar otra (${otherSheets}), elíjala (\`sheet\`, o \`--sheet\` en la línea de comandos).`}`,
  };
}

export function explainAbsent(column: string, header: readonly string[]): ColumnProblem {
  const nearest = nearestNames(column, shownColumns(header));
  const nameNearest = (label: string): string => (nearest.length === 0 ? '' : ` ${label}: ${listNames(nearest)}.`);
  const columns = listColumns(header);
  return {
    reason: {
      english: `The file has no column \`${column}\`.`,
      spanish: `El archivo no tiene la columna \`${column}\`.`,
    },
    facts: {
      english: `${columns.english}${nameNearest('The nearest names')}`,
      spanish: `${columns.spanish}${nameNearest('Los más parecidos')}`,
    },
    advice: null,
    targets: [],
  };
}
