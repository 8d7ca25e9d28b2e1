import {
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
} from 'graphql';

/** Whether the operation selects a field of what a resolver is about to answer: work for it is done nowhere else. */
export function selectsField(info: GraphQLResolveInfo, name: string): boolean {
  // Fragments that spread fragments may come by the same one on many ways.
  const visited = new Set<string>();
  const holds = (selections: readonly SelectionNode[]): boolean =>
    selections.some((selection) => {
      if (!isIncluded(info, selection)) return false;
      if (selection.kind === Kind.FIELD) return selection.name.value === name;
      if (selection.kind === Kind.INLINE_FRAGMENT) return holds(selection.selectionSet.selections);
      const fragment = info.fragments[selection.name.value];
      if (fragment === undefined || visited.has(fragment.name.value)) return false;
      visited.add(fragment.name.value);
      return holds(fragment.selectionSet.selections);
    });
  return info.fieldNodes.some(({ selectionSet }) => holds(selectionSet?.selections ?? []));
}

function isIncluded({ variableValues }: GraphQLResolveInfo, selection: SelectionNode): boolean {
  if (selection.directives?.length === 0) return true;
  return (
    getDirectiveValues(GraphQLSkipDirective, selection, variableValues)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, selection, variableValues)?.if !== false
  );
}
