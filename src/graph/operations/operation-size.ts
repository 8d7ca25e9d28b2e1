import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { FieldArguments } from './field-arguments';
import { fieldWeights, lookupWeight } from './field-weights';
import { IntrospectionSizer } from './introspection-size';
import { conditionWeight, distinctSelections, failureWeight, keyBytes } from './selections';

/** How large an operation and its answer are. */
export interface OperationSize {
  readonly depth: number;
  /** Objects and values that an answer may hold, by estimate. */
  readonly nodes: number;
  /** Bytes of the answer, by estimate: names count at their length, and what is as long as the schema too. */
  readonly bytes: number;
  /** Names given to fields: what lets one ask the same field again, at the root as anywhere. */
  readonly aliases: number;
  /** Representations that `_entities` is asked for. */
  readonly entities: number;
}

/** What the graph itself knows of its answers before they are asked for, by the names of fields. */
export interface FieldSizes {
  readonly lists: Readonly<Record<string, number>>;
  readonly texts: Readonly<Record<string, number>>;
}

export interface SizerOptions {
  readonly document: DocumentNode;
  readonly schema: GraphQLSchema;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly sizes: FieldSizes;
  /** Introspection of more values than this is not counted to its end. */
  readonly maxNodes: number;
}

const empty: OperationSize = { depth: 0, nodes: 0, bytes: 0, aliases: 0, entities: 0 };

/** What lists are reckoned with; most lists of this graph hold a handful. */
const assumedListSizes: Readonly<Record<string, number>> = {
  records: 10,
  problems: 1,
  path: 1,
  warnings: 1,
  receiptsBetween: 12,
  // Counted by their page.
  entries: 1,
  rows: 1,
  batches: 1,
  actions: 1,
  // Of a row in a batch.
  evidence: 3,
  // Of an action in the audit trail.
  identifiers: 2,
  registrySpend: 100,
};
const defaultListSize = 5;
/** Most values are names, codes, amounts and days. */
const assumedValueBytes = 30;
/** Braces and a comma. */
const objectBytes = 3;

/** Measures an operation without unfolding it: a fragment is measured once, however often it is spread. */
export class OperationSizer {
  private readonly definitions = new Map<string, FragmentDefinitionNode>();
  private readonly fragments = new Map<string, OperationSize>();
  private readonly fieldArguments: FieldArguments;
  private readonly introspection: IntrospectionSizer;

  constructor(private readonly options: SizerOptions) {
    for (const node of options.document.definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.definitions.set(node.name.value, node);
    }
    const { schema, variables, maxNodes } = options;
    this.fieldArguments = new FieldArguments(variables);
    this.introspection = new IntrospectionSizer({ schema, variables, maxNodes, fragments: this.definitions });
  }

  /** Whether the size hangs on more of the variables than the lengths of their lists. */
  get dependsOnValues(): boolean {
    return this.introspection.isUsed;
  }

  measure(node: OperationDefinitionNode): OperationSize {
    const { operation, selectionSet } = node;
    this.fieldArguments.readDefaults(node);
    return this.selection(selectionSet, this.options.schema.getRootType(operation) ?? null);
  }

  private selection(selectionSet: SelectionSetNode, parent: GraphQLNamedType | null): OperationSize {
    const sizes = distinctSelections(selectionSet).map((selection): OperationSize => {
      const size = this.selected(selection, parent);
      const weight = conditionWeight(selection, this.options.variables);
      return weight === 0 ? size : { ...size, nodes: size.nodes + weight };
    });
    return sizes.reduce(sum, empty);
  }

  private selected(selection: SelectionNode, parent: GraphQLNamedType | null): OperationSize {
    if (selection.kind === Kind.FIELD) return this.field(selection, parent);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.fragment(selection.name.value);
    const type = selection.typeCondition === undefined ? parent : this.typeNamed(selection.typeCondition.name.value);
    return this.selection(selection.selectionSet, type);
  }

  private field(node: FieldNode, parent: GraphQLNamedType | null): OperationSize {
    const name = node.name.value;
    const aliases = node.alias === undefined ? 0 : 1;
    // Introspection is as deep as it is: graphql-js has a rule of its own for that.
    if (name.startsWith('__')) return { ...empty, ...this.introspection.measure(node), aliases };
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
    if (field === undefined) return empty;
    const { type } = field;
    const inner = node.selectionSet === undefined ? empty : this.selection(node.selectionSet, getNamedType(type));
    const weight =
      (fieldWeights[`${parent?.name}.${name}`] ?? fieldWeights[name] ?? 1) +
      (this.fieldArguments.failByNull(node, field) ? failureWeight : 0);
    const list = this.listSize(node, field);
    const entryWeight = field.extensions.paidField === undefined ? 0 : lookupWeight;
    const valueBytes = node.selectionSet === undefined ? this.valueBytes(name) : inner.bytes + objectBytes;
    return {
      depth: inner.depth + 1,
      nodes: weight + list * (entryWeight + Math.max(1, inner.nodes)),
      bytes: keyBytes(node) + list * valueBytes + inner.nodes * this.fieldArguments.echoedBytes(node),
      aliases: inner.aliases + aliases,
      entities: inner.entities + (name === '_entities' ? list : 0),
    };
  }

  private valueBytes(name: string): number {
    return this.options.sizes.texts[name] ?? assumedValueBytes;
  }

  private fragment(name: string): OperationSize {
    const measured = this.fragments.get(name);
    // Spread again it may multiply values, but its aliases stand in the document once.
    if (measured !== undefined) return { ...measured, aliases: 0 };
    const node = this.definitions.get(name);
    if (node === undefined) return empty;
    const size = this.selection(node.selectionSet, this.typeNamed(node.typeCondition.name.value));
    this.fragments.set(name, size);
    return size;
  }

  private listSize(node: FieldNode, field: GraphQLField<unknown, unknown>): number {
    const { type } = field;
    if (!isListType(getNullableType(type))) return this.fieldArguments.pageSize(node, field);
    const name = node.name.value;
    if (name === '_entities') return this.fieldArguments.countRepresentations(node);
    return this.options.sizes.lists[name] ?? assumedListSizes[name] ?? defaultListSize;
  }

  private typeNamed(name: string): GraphQLNamedType | null {
    const type = this.options.schema.getType(name);
    return isCompositeType(type) ? type : null;
  }
}

function sum(left: OperationSize, right: OperationSize): OperationSize {
  return {
    depth: Math.max(left.depth, right.depth),
    nodes: left.nodes + right.nodes,
    bytes: left.bytes + right.bytes,
    aliases: left.aliases + right.aliases,
    entities: left.entities + right.entities,
  };
}
