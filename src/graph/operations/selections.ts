import { type FieldNode, Kind, type SelectionNode, type SelectionSetNode } from 'graphql';

/** The selections of an object, without a fragment that it spreads again: that adds nothing to its answer. */
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

/** Number of values that take graphql-js as long as one error. */
export const failureWeight = 75;

/** What a condition adds that may not be null and is: each object that is asked for what it stands at has an error then. */
export function conditionWeight(
  { directives = [] }: SelectionNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const values = directives.flatMap((directive) => directive.arguments ?? []).map(({ value }) => value);
  return values.some((value) => value.kind === Kind.VARIABLE && isNull(variables, value.name.value))
    ? failureWeight
    : 0;
}

/** Whether a variable is null, and not left out. */
export function isNull(variables: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(variables, name) && variables[name] === null;
}

/** What a field's name takes in an answer: quotes, a colon and a comma with it. */
export function keyBytes({ alias, name }: FieldNode): number {
  return (alias ?? name).value.length + 4;
}
