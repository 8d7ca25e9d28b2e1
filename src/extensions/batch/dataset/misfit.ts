import {
  coerceInputValue,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import { joinTexts, type Text } from '../../../identifiers/text';

const maxShownLength = 60;

/** The columns of a row by the path of the variable that they fill. */
export type FilledColumns = ReadonlyMap<string, string>;

function nameColumn(columns: FilledColumns, variable: string): string {
  const column = columns.get(variable) ?? variable;
  return column === variable ? `\`${variable}\`` : `\`${shorten(column)}\` (\`${variable}\`)`;
}

/** Shortens the name of a column, because the message of each row may repeat it. */
export const shorten = (column: string): string => column.slice(0, maxShownLength);

export function noValue(variable: string, columns: FilledColumns): Text {
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

const maxListed = 10;

/**
 * Returns why a value does not fit the type of its variable, with the names of its fields and columns and without values. Returns
 * null if it fits.
 */
export function explainMisfit(
  name: string,
  type: GraphQLInputType,
  value: unknown,
  columns: FilledColumns,
): Text | null {
  if (fits(value, type)) return null;
  const variable = `${name}: ${type}`;
  const column = columns.get(name) ?? name;
  const found: Misfits = { missing: [], unknown: [], invalid: [] };
  collect(name, type, value, found);
  const [missing, unknown, invalid] = [found.missing, found.unknown, found.invalid].map((paths) =>
    paths
      .slice(0, maxListed)
      .map((path) => nameColumn(columns, path))
      .join(', '),
  );
  const inColumn = (words: string): string => (column === name ? '' : ` ${words} \`${shorten(column)}\``);
  const facts: Text[] = [
    {
      english: `The value${inColumn('of the column')} does not fit the variable \`${variable}\`.`,
      spanish: `El valor${inColumn('de la columna')} no corresponde a la variable \`${variable}\`.`,
    },
  ];
  if (missing !== '') facts.push({ english: `It needs ${missing}.`, spanish: `Le falta ${missing}.` });
  if (unknown !== '') facts.push({ english: `It has no field ${unknown}.`, spanish: `No tiene el campo ${unknown}.` });
  if (invalid !== '' && found.invalid[0] !== name)
    facts.push({ english: `These fields do not fit: ${invalid}.`, spanish: `No corresponden: ${invalid}.` });
  return joinTexts(facts, ' ');
}

type Misfits = Readonly<Record<'missing' | 'unknown' | 'invalid', string[]>>;

function collect(path: string, type: GraphQLInputType, value: unknown, found: Misfits): void {
  const inner = getNullableType(type);
  if (value === null || value === undefined) {
    if (isNonNullType(type)) found.missing.push(path);
    return;
  }
  if (isListType(inner) && Array.isArray(value)) {
    for (const [index, item] of value.slice(0, maxListed).entries())
      collect(`${path}.${index}`, inner.ofType, item, found);
    return;
  }
  if (!isInputObjectType(inner) || typeof value !== 'object' || Array.isArray(value)) {
    if (!fits(value, type)) found.invalid.push(path);
    return;
  }
  const fields = inner.getFields();
  for (const name of Object.keys(value))
    if (!Object.hasOwn(fields, name)) found.unknown.push(`${path}.${name.slice(0, 60)}`);
  for (const field of Object.values(fields)) {
    const member: unknown = (value as Readonly<Record<string, unknown>>)[field.name];
    if (member === undefined && isRequiredInputField(field)) found.missing.push(`${path}.${field.name}`);
    else
      collect(`${path}.${field.name}`, member === undefined ? getNullableType(field.type) : field.type, member, found);
  }
}

function fits(value: unknown, type: GraphQLInputType): boolean {
  try {
    coerceInputValue(value, type, () => {
      throw new TypeError('The value does not fit.');
    });
    return true;
  } catch {
    return false;
  }
}
