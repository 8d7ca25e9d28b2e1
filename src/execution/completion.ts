import { defaultTypeResolver } from 'graphql';
import type { FieldPlan, Plan, SelectionPlan, UnionShape } from './plan';
import { resolveInfo } from './resolve-info';
import type { ResponsePath } from './response-path';
import type { VariableValues } from './variables';

/** An operation as it runs. */
export interface Running {
  readonly plan: Plan;
  readonly context: unknown;
  readonly variables: VariableValues;
}

/** What is selected of a value of a union. Types are told at once in this graph, by `__typename`; anything else is an error of ours. */
export function selectionOf(
  { type, selections }: UnionShape,
  value: unknown,
  { plan, context, variables }: Running,
  field: FieldPlan,
  path: ResponsePath,
): SelectionPlan {
  const info = resolveInfo(plan, field, path, variables);
  const name = (type.resolveType ?? defaultTypeResolver)(value, context, info, type);
  const selection = typeof name === 'string' ? selections.get(name) : undefined;
  if (selection === undefined)
    throw new Error(`Runtime Object type "${name}" is not a possible type for "${type.name}".`);
  return selection;
}

export function nonNullError({ parent, field }: FieldPlan): Error {
  return new Error(`Cannot return null for non-nullable field ${parent.name}.${field.name}.`);
}

export function notIterableError({ parent, field }: FieldPlan): Error {
  return new Error(`Expected Iterable, but did not find one for field "${parent.name}.${field.name}".`);
}
