import {
  type DocumentNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** How large an operation and its answer are. */
export interface OperationSize {
  readonly depth: number;
  /** Objects and values that an answer may hold, by estimate. */
  readonly nodes: number;
  /** Names given to fields: what lets one ask the same field again, at the root as anywhere. */
  readonly aliases: number;
  /** Representations that `_entities` is asked for. */
  readonly entities: number;
}

const empty: OperationSize = { depth: 0, nodes: 0, aliases: 0, entities: 0 };

/** What lists are reckoned with; most lists of this graph hold a handful. */
const assumedListSizes: Readonly<Record<string, number>> = {
  records: 10,
  problems: 1,
  path: 1,
  warnings: 1,
  receiptsBetween: 12,
};
const defaultListSize = 5;

/** Fields that take more work than their answer shows: an estimate runs a whole operation dry. */
const fieldWeights: Readonly<Record<string, number>> = { unitEstimate: 20_000 };

/** Measures an operation without unfolding it: a fragment is measured once, however often it is spread. */
export class OperationSizer {
  private readonly fragments = new Map<string, OperationSize>();
  /** Lists that variables hold when nothing is given. */
  private readonly defaults = new Map<string, readonly unknown[]>();

  constructor(
    private readonly document: DocumentNode,
    private readonly schema: GraphQLSchema,
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {}

  measure({ operation, selectionSet, variableDefinitions }: OperationDefinitionNode): OperationSize {
    for (const { variable, defaultValue } of variableDefinitions ?? []) {
      if (defaultValue?.kind === Kind.LIST) this.defaults.set(variable.name.value, defaultValue.values);
    }
    return this.selection(selectionSet, this.schema.getRootType(operation) ?? null);
  }

  private selection({ selections }: SelectionSetNode, parent: GraphQLNamedType | null): OperationSize {
    const sizes = selections.map((selection): OperationSize => {
      if (selection.kind === Kind.FIELD) return this.field(selection, parent);
      if (selection.kind === Kind.FRAGMENT_SPREAD) return this.fragment(selection.name.value);
      const type = selection.typeCondition === undefined ? parent : this.typeNamed(selection.typeCondition.name.value);
      return this.selection(selection.selectionSet, type);
    });
    return sizes.reduce(sum, empty);
  }

  private field(node: FieldNode, parent: GraphQLNamedType | null): OperationSize {
    const name = node.name.value;
    // Introspection is as deep as it is, and costs nothing.
    const aliases = node.alias === undefined ? 0 : 1;
    if (name.startsWith('__')) return { ...empty, aliases };
    const type = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;
    if (type === undefined) return empty;
    const inner = node.selectionSet === undefined ? empty : this.selection(node.selectionSet, getNamedType(type));
    const weight = fieldWeights[name] ?? 1;
    const list = this.listSize(node, type);
    return {
      depth: inner.depth + 1,
      nodes: weight + list * Math.max(1, inner.nodes),
      aliases: inner.aliases + aliases,
      entities: inner.entities + (name === '_entities' ? list : 0),
    };
  }

  private fragment(name: string): OperationSize {
    const measured = this.fragments.get(name);
    // Spread again it may multiply values, but its aliases stand in the document once.
    if (measured !== undefined) return { ...measured, aliases: 0 };
    const node = this.document.definitions.find(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
    );
    if (node?.kind !== Kind.FRAGMENT_DEFINITION) return empty;
    const size = this.selection(node.selectionSet, this.typeNamed(node.typeCondition.name.value));
    this.fragments.set(name, size);
    return size;
  }

  private listSize(node: FieldNode, type: GraphQLOutputType): number {
    if (!isListType(getNullableType(type))) return 1;
    const name = node.name.value;
    return name === '_entities' ? this.representations(node) : (assumedListSizes[name] ?? defaultListSize);
  }

  private representations({ arguments: values }: FieldNode): number {
    const value = values?.[0]?.value;
    if (value?.kind === Kind.LIST) return value.values.length;
    if (value?.kind !== Kind.VARIABLE) return 1;
    const { value: name } = value.name;
    const variable = Object.hasOwn(this.variables, name) ? this.variables[name] : null;
    const list = variable ?? this.defaults.get(name);
    return Array.isArray(list) ? list.length : 1;
  }

  private typeNamed(name: string): GraphQLNamedType | null {
    const type = this.schema.getType(name);
    return isCompositeType(type) ? type : null;
  }
}

function sum(left: OperationSize, right: OperationSize): OperationSize {
  return {
    depth: Math.max(left.depth, right.depth),
    nodes: left.nodes + right.nodes,
    aliases: left.aliases + right.aliases,
    entities: left.entities + right.entities,
  };
}
