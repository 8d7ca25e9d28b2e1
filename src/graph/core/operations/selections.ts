import {
  type DocumentNode,
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

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

/**
 * Whether an operation selects a field of the object that a resolver returns, so that the resolver can skip work for other fields. Assumes that
 * no other type has a field of this name.
 */
export function selects({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo, field: string): boolean {
  const spread = new Set<string>();
  const isIncluded = (node: SelectionNode) =>
    getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
  const hasField = ({ selections }: SelectionSetNode): boolean =>
    selections.filter(isIncluded).some((node) => {
      if (node.kind === Kind.FIELD) return node.name.value === field;
      if (node.kind === Kind.INLINE_FRAGMENT) return hasField(node.selectionSet);
      const fragment = spread.has(node.name.value) ? undefined : fragments[node.name.value];
      spread.add(node.name.value);
      return fragment !== undefined && hasField(fragment.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && hasField(selectionSet));
}

/** The fields of an object that share a name in the answer. The type is null if the schema does not have the field. */
export interface SelectedField {
  readonly nodes: readonly FieldNode[];
  readonly type: GraphQLOutputType | null;
}

export class SelectionReader {
  private readonly fragments;

  constructor(
    private readonly schema: GraphQLSchema,
    { definitions }: DocumentNode,
  ) {
    const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  /** Returns the fields of these selection sets by their names in the answer, in the order in which graphql-js answers them. */
  read(sets: readonly SelectionSetNode[], parent: GraphQLNamedType | null): ReadonlyMap<string, SelectedField> {
    const selected = new Map<string, SelectedField>();
    const visited = new Set<string>();
    for (const set of sets) this.select(set, parent, selected, visited);
    return selected;
  }

  private select(
    { selections }: SelectionSetNode,
    parent: GraphQLNamedType | null,
    selected: Map<string, SelectedField>,
    visited: Set<string>,
  ): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        const { nodes = [], type = fieldType(parent, selection.name.value) } = selected.get(name) ?? {};
        selected.set(name, { nodes: [...nodes, selection], type });
        continue;
      }
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      const fragment = isSpread ? this.fragments.get(selection.name.value) : selection;
      if (fragment === undefined || (isSpread && visited.has(selection.name.value))) continue;
      if (isSpread) visited.add(selection.name.value);
      const { typeCondition, selectionSet } = fragment;
      const type = typeCondition === undefined ? parent : (this.schema.getType(typeCondition.name.value) ?? parent);
      this.select(selectionSet, type, selected, visited);
    }
  }
}

function fieldType(parent: GraphQLNamedType | null, name: string): GraphQLOutputType | null {
  return isObjectType(parent) || isInterfaceType(parent) ? (parent.getFields()[name]?.type ?? null) : null;
}
