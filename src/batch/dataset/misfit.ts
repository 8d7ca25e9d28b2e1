import {
  coerceInputValue,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import type { Text } from '../../text/text';

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
  const { missing, unknown, invalid } = findMisfits(name, type, value);
  const list = (paths: readonly string[]): string =>
    paths
      .slice(0, maxListed)
      .map((path) => nameColumn(columns, path))
      .join(', ');
  const facts: Text[] = [
    ...(missing.length === 0 ? [] : [{ english: `It needs ${list(missing)}.`, spanish: `Le falta ${list(missing)}.` }]),
    ...(unknown.length === 0
      ? []
      : [{ english: `It has no field ${list(unknown)}.`, spanish: `No tiene el campo ${list(unknown)}.` }]),
    ...(invalid.length === 0 || invalid[0] === name
      ? []
      : [{ english: `These fields do not fit: ${list(invalid)}.`, spanish: `No corresponden: ${list(invalid)}.` }]),
  ];
  return {
    english: [
      `The value${column === name ? '' : ` of the column \`${shorten(column)}\``} does not fit the variable \`${variable}\`.`,
      ...facts.map(({ english }) => english),
    ].join(' '),
    spanish: [
      `El valor${column === name ? '' : ` de la columna \`${shorten(column)}\``} no corresponde a la variable \`${variable}\`.`,
      ...facts.map(({ spanish }) => spanish),
    ].join(' '),
  };
}

interface Misfits {
  readonly missing: string[];
  readonly unknown: string[];
  readonly invalid: string[];
}

function findMisfits(path: string, type: GraphQLInputType, value: unknown): Misfits {
  const found: Misfits = { missing: [], unknown: [], invalid: [] };
  collect(path, type, value, found);
  return found;
}

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
