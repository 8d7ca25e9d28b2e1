import { type GraphQLInputType, getNullableType, isInputObjectType } from 'graphql';
import type { BatchVariable } from '../../operation';

/** Target of a column: a variable, or a field within one. */
export interface ColumnTarget {
  readonly path: readonly string[];
  readonly type: GraphQLInputType;
}

/** Column with the caller's label of a row. */
export const refColumn = 'ref';

/**
 * Finds the variable, or the field of an input object, that has the name of a column. Dots separate the names of fields.
 * Case, blanks, punctuation and accents are ignored, also dots if the column addresses no field: `N.S.S.` is `nss`.
 */
export function matchColumn(variables: readonly BatchVariable[], column: string): ColumnTarget | null {
  const target = findTarget(variables, column.replace(/^\$/, ''));
  if (target !== null) return target;
  const variable = find(variables, column);
  return variable === undefined ? null : { path: [variable.name], type: variable.type };
}

/** Finds the variable or the field at a path whose names are separated by dots. */
export function findTarget(variables: readonly BatchVariable[], path: string): ColumnTarget | null {
  const [first = '', ...fields] = path.split('.');
  const variable = find(variables, first);
  if (variable === undefined) return null;
  let target: ColumnTarget = { path: [variable.name], type: variable.type };
  for (const segment of fields) {
    const type = getNullableType(target.type);
    const field = isInputObjectType(type) ? find(Object.values(type.getFields()), segment) : undefined;
    if (field === undefined) return null;
    target = { path: [...target.path, field.name], type: field.type };
  }
  return target;
}

/** Whether one of two paths is the other one, or a part of it. */
export function overlaps(left: readonly string[], right: readonly string[]): boolean {
  const shared = Math.min(left.length, right.length);
  return shared > 0 && left.slice(0, shared).join('.') === right.slice(0, shared).join('.');
}

function find<Named extends { readonly name: string }>(entries: readonly Named[], name: string): Named | undefined {
  return (
    entries.find((entry) => entry.name === name) ??
    entries.find((entry) => foldName(name) !== '' && foldName(entry.name) === foldName(name))
  );
}

/** Returns the name without the differences that are ignored between columns and variables. */
export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\p{M}\p{P}\p{S}\s]/gu, '')
    .toLowerCase();
}
