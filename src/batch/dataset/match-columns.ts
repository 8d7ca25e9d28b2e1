import {
  GraphQLBoolean,
  GraphQLFloat,
  type GraphQLInputType,
  GraphQLInt,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import type { BatchVariable } from '../batch';

/** Target of a column: a variable, or a field within one. */
export interface ColumnTarget {
  readonly path: readonly string[];
  readonly type: GraphQLInputType;
}

/** The caller's own label of a row. */
export const refColumn = 'ref';

/** Finds the variable that a column is named after: dots lead into input objects; case, blanks, dashes and accents tell no two apart. */
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
  return entries.find((entry) => entry.name === name) ?? entries.find((entry) => fold(entry.name) === fold(name));
}

export function fold(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\p{M}\s_-]/gu, '')
    .toLowerCase();
}

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  '1': true,
  '0': false,
  yes: true,
  no: false,
  si: true,
};

/**
 * Returns the text of a cell as its variable needs it, or undefined if it is empty. A text that does not fit is
 * returned unchanged, and refused later.
 */
export function readCell(text: string, type: GraphQLInputType): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const inner = getNullableType(type);
  if (isListType(inner)) return trimmed.startsWith('[') ? readJson(trimmed) : readCell(text, inner.ofType);
  if (isInputObjectType(inner)) return readJson(trimmed);
  if (inner === GraphQLInt || inner === GraphQLFloat)
    return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : text;
  if (inner === GraphQLBoolean) return truths[fold(trimmed)] ?? text;
  return text;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
