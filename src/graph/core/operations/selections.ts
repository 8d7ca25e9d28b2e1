import { type FieldNode, Kind, type SelectionNode, type SelectionSetNode } from 'graphql';

/** Returns the selections of an object without repeated spreads of a fragment, which add nothing to its answer. */
export function distinctSelections({ selections }: SelectionSetNode): readonly SelectionNode[] {
  const spread = new Set<string>();
  return selections.filter((selection) => {
    if (selection.kind !== Kind.FRAGMENT_SPREAD) return true;
    const { value } = selection.name;
    if (spread.has(value)) return false;
    spread.add(value);
    return true;
  });
}

/** Weight of an error, in values that take graphql-js the same time. */
export const failureWeight = 75;

/** Returns the weight of a null variable in `@skip` or `@include`, which must not be null. Each selected object then has an error. */
export function conditionWeight(
  { directives = [] }: SelectionNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const values = directives.flatMap((directive) => directive.arguments ?? []).map(({ value }) => value);
  return values.some((value) => value.kind === Kind.VARIABLE && isNull(variables, value.name.value))
    ? failureWeight
    : 0;
}

/** Whether a variable is null. An omitted one is not. */
export function isNull(variables: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(variables, name) && variables[name] === null;
}

/** Returns the bytes of the name of a field in an answer, with quotes, colon and comma. */
export function keyBytes({ alias, name }: FieldNode): number {
  return (alias ?? name).value.length + 4;
}
