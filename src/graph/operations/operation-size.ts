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

/** Size of an operation and its answer. */
export interface OperationSize {
  readonly depth: number;
  /** Estimated number of objects and values in the answer. */
  readonly nodes: number;
  /** Estimated bytes of the answer. Field names and the SDL count with their length. */
  readonly bytes: number;
  /** Number of aliases, which allow an operation to select the same field many times. */
  readonly aliases: number;
  /** Number of representations passed to `_entities`. */
  readonly entities: number;
}

/** Known sizes of answers, by field name. */
export interface FieldSizes {
  readonly lists: Readonly<Record<string, number>>;
  readonly texts: Readonly<Record<string, number>>;
}

export interface SizerOptions {
  readonly document: DocumentNode;
  readonly schema: GraphQLSchema;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly sizes: FieldSizes;
  /** Maximum number of values that are counted in introspection. */
  readonly maxNodes: number;
}

const empty: OperationSize = { depth: 0, nodes: 0, bytes: 0, aliases: 0, entities: 0 };

/** Assumed lengths of lists, by field name. Most lists of this graph are short. */
const assumedListSizes: Readonly<Record<string, number>> = {
  records: 10,
  problems: 1,
  path: 1,
  warnings: 1,
  receiptsBetween: 12,
  // Counted by the page size.
  entries: 1,
  rows: 1,
  batches: 1,
  actions: 1,
  // The evidence of a row in a batch.
  evidence: 3,
  // The identifiers of an action in the audit trail.
  identifiers: 2,
  registrySpend: 100,
};
const defaultListSize = 5;
/** Assumed bytes of a value. Most values are names, codes, amounts and days. */
const assumedValueBytes = 30;
/** Bytes of the braces and the comma of an object. */
const objectBytes = 3;

/** Measures an operation without expanding it. Each fragment is measured once. */
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

  /** Whether the size depends on the values of variables, not only on the lengths of their lists. */
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
    // graphql-js limits the depth of introspection.
    if (name.startsWith('__')) return { ...empty, ...this.introspection.measure(node), aliases };
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
    if (field === undefined) return empty;
    const { type } = field;
    const inner = node.selectionSet === undefined ? empty : this.selection(node.selectionSet, getNamedType(type));
    const weight =
      (fieldWeights[`${parent?.name}.${name}`] ?? fieldWeights[name] ?? 1) +
      (this.fieldArguments.hasNullForNonNull(node, field) ? failureWeight : 0);
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
    // The document has the aliases of a fragment only once, even if the fragment is spread many times.
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
