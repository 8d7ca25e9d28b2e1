import {
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
} from 'graphql';

/** Whether the operation selects this field of the object that a resolver returns, so that it can skip work for other fields. */
export function selectsField(info: GraphQLResolveInfo, name: string): boolean {
  // The same fragment may be spread many times.
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
