import {
  GraphQLBoolean,
  GraphQLFloat,
  type GraphQLInputType,
  GraphQLInt,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import type { BatchVariable } from '../../batch';

/** Target of a column: a variable, or a field within one. */
export interface ColumnTarget {
  readonly path: readonly string[];
  readonly type: GraphQLInputType;
}

/** Column with the caller's label of a row. */
export const refColumn = 'ref';

/**
 * Finds the variable, or the field of an input object, that has the name of a column. Dots separate the names of fields.
 * Case, blanks, dashes, underscores and accents are ignored.
 */
export function matchColumn(variables: readonly BatchVariable[], column: string): ColumnTarget | null {
  const segments = column.replace(/^\$/, '').split('.');
  const variable = find(variables, segments[0] ?? '');
  if (variable === undefined) return null;
  let target: ColumnTarget = { path: [variable.name], type: variable.type };
  for (const segment of segments.slice(1)) {
    const type = getNullableType(target.type);
    const field = isInputObjectType(type) ? find(Object.values(type.getFields()), segment) : undefined;
    if (field === undefined) return null;
    target = { path: [...target.path, field.name], type: field.type };
  }
  return target;
}

function find<Named extends { readonly name: string }>(entries: readonly Named[], name: string): Named | undefined {
  return (
    entries.find((entry) => entry.name === name) ?? entries.find((entry) => foldName(entry.name) === foldName(name))
  );
}

/** Returns the name without the differences that are ignored between columns and variables. */
export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\p{M}\s_-]/gu, '')
    .toLowerCase();
}

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  '1': true,
  '0': false,
  yes: true,
  no: false,
  si: true,
};

/**
 * Converts the text of a cell to the type of its variable. Returns undefined if the cell is empty. Returns text that does
 * not fit unchanged, because it is rejected later.
 */
export function readCell(text: string, type: GraphQLInputType): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const inner = getNullableType(type);
  if (isListType(inner)) return trimmed.startsWith('[') ? readJson(trimmed) : readCell(text, inner.ofType);
  if (isInputObjectType(inner)) return readJson(trimmed);
  if (inner === GraphQLInt || inner === GraphQLFloat)
    return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : text;
  if (inner === GraphQLBoolean) return booleans[foldName(trimmed)] ?? text;
  return text;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
