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
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { conditionWeight, distinctSelections, FieldArguments, failureWeight, responseNameBytes } from './selections';

export interface OperationSize {
  readonly depth: number;
  /** Estimated number of objects and values in the response. */
  readonly nodes: number;
  /** Estimated bytes of the response. Field names and the SDL count with their length. */
  readonly bytes: number;
  readonly aliases: number;
  readonly entities: number;
}

export interface FieldSizes {
  readonly lists: Readonly<Record<string, number>>;
  readonly texts: Readonly<Record<string, number>>;
  readonly weights: Readonly<Record<string, number>>;
}

export interface SizerOptions {
  readonly document: DocumentNode;
  readonly schema: GraphQLSchema;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly sizes: FieldSizes;
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
  // Introspection of this schema, on average over its types.
  args: 1,
  inputFields: 1,
  interfaces: 1,
  possibleTypes: 1,
  enumValues: 2,
};
/** Fields that return one type. It may have as many fields and values as this number of average types. */
const singleTypes: ReadonlySet<string> = new Set(['__type', 'queryType', 'mutationType']);
const averageTypesOfLargest = 30;
/** Share of types that wrap another type. Introspection asks for up to nine levels of them. */
const ofTypeShare = 0.6;
const introspectionFields: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map([
  ['__schema', SchemaMetaFieldDef],
  ['__type', TypeMetaFieldDef],
]);
const defaultListSize = 5;
/** Assumed bytes of a value. Most values are names, codes, amounts and days. */
const assumedValueBytes = 30;
const objectBytes = 3;

export class OperationSizer {
  private readonly definitions = new Map<string, FragmentDefinitionNode>();
  private readonly fragments = new Map<string, OperationSize>();
  private readonly fieldArguments: FieldArguments;

  constructor(private readonly options: SizerOptions) {
    for (const node of options.document.definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.definitions.set(node.name.value, node);
    }
    this.fieldArguments = new FieldArguments(options.variables);
  }

  measure(node: OperationDefinitionNode): OperationSize {
    const { operation, selectionSet } = node;
    this.fieldArguments.readDefaults(node);
    const size = this.selection(selectionSet, this.options.schema.getRootType(operation) ?? null);
    return { ...size, nodes: Math.ceil(size.nodes), bytes: Math.ceil(size.bytes) };
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
    if (name === '__typename')
      return { ...empty, nodes: 1, bytes: responseNameBytes(node) + assumedValueBytes, aliases };
    const field =
      introspectionFields.get(name) ??
      (isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined);
    if (field === undefined) return empty;
    const { type } = field;
    const inner = node.selectionSet === undefined ? empty : this.selection(node.selectionSet, getNamedType(type));
    const weight =
      this.weightOf(name, parent) + (this.fieldArguments.hasNullForNonNull(node, field) ? failureWeight : 0);
    const list = this.listSize(node, field);
    const entryWeight = field.extensions.paidField === undefined ? 0 : lookupWeight;
    const valueBytes = node.selectionSet === undefined ? this.valueBytes(name) : inner.bytes + objectBytes;
    return {
      // graphql-js limits the depth of introspection.
      depth: introspectionFields.has(name) ? 0 : inner.depth + 1,
      nodes: weight + list * (entryWeight + Math.max(1, inner.nodes)),
      bytes: responseNameBytes(node) + list * valueBytes + inner.nodes * this.fieldArguments.echoedBytes(node),
      aliases: inner.aliases + aliases,
      entities: inner.entities + (name === '_entities' ? list : 0),
    };
  }

  private weightOf(name: string, parent: GraphQLNamedType | null): number {
    const { weights } = this.options.sizes;
    return weights[`${parent?.name}.${name}`] ?? weights[name] ?? 1;
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
    const name = node.name.value;
    if (singleTypes.has(name)) return averageTypesOfLargest;
    if (name === 'ofType') return ofTypeShare;
    if (!isListType(getNullableType(type))) return this.fieldArguments.pageSize(node, field);
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

/** Number of values that take the event loop as long as one lookup. */
const lookupWeight = 30;

/**
 * Weights of fields that take more work than the size of their part of the response suggests, by name or by type and name. An estimate
 * parses a whole document, the ledger reads a part of the store, a page of rows is decrypted, and a consistency compares all answers.
 */
export const fieldWeights: Readonly<Record<string, number>> = {
  'Person.consistency': 100,
  unitEstimate: 20_000,
  registryLedger: 500,
  registryProofs: 500,
  registrySpend: 2_000,
  registryBudgets: 500,
  registryOperation: 500,
  endRegistryOperation: 500,
  settleRegistryBilling: 500,
  setRegistryBudget: 500,
  removeRegistryBudget: 500,
  eraseRegistrySubject: 500,
  registryAudit: 500,
};
