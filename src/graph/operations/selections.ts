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

/** What a field's name takes in an answer: quotes, a colon and a comma with it. */
export function keyBytes({ alias, name }: FieldNode): number {
  return (alias ?? name).value.length + 4;
}
