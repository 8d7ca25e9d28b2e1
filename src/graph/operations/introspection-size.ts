import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { conditionWeight, distinctSelections, keyBytes } from './selections';

export interface AnswerSize {
  readonly nodes: number;
  readonly bytes: number;
}

interface IntrospectionOptions {
  readonly schema: GraphQLSchema;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly maxNodes: number;
}

type Field = GraphQLField<unknown, unknown>;

const none: AnswerSize = { nodes: 0, bytes: 0 };
const nothing: AnswerSize = { nodes: 1, bytes: 5 };
/** Size of the name of a type. */
const typename: AnswerSize = { nodes: 1, bytes: 30 };
const uncounted: AnswerSize = { nodes: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/**
 * Measures the answer of an introspection query by running it against the schema. Each selection of each type runs once, so nested
 * or repeated selections are counted without being executed.
 */
export class IntrospectionSizer {
  private readonly measured = new Map<SelectionSetNode, Map<unknown, AnswerSize>>();
  private visited = 0;

  constructor(private readonly options: IntrospectionOptions) {}

  /** Whether anything besides `__typename` was measured. */
  get isUsed(): boolean {
    return this.visited > 0;
  }

  /** Measures `__schema`, `__type` or `__typename`. */
  measure(node: FieldNode): AnswerSize {
    const meta: Readonly<Record<string, Field>> = { __schema: SchemaMetaFieldDef, __type: TypeMetaFieldDef };
    return this.field(node, meta[node.name.value], undefined);
  }

  private field(node: FieldNode, field: Field | undefined, source: unknown): AnswerSize {
    if (field?.resolve === undefined) return { ...typename, bytes: typename.bytes + keyBytes(node) };
    this.visited += 1;
    // The operation is rejected, so the exact size does not matter.
    if (this.visited > this.options.maxNodes) return uncounted;
    const { nodes, bytes } = this.value(this.resolve(node, field, source), node, field.type);
    return { nodes, bytes: bytes + keyBytes(node) };
  }

  private resolve(node: FieldNode, field: Field, source: unknown): unknown {
    const { schema, variables } = this.options;
    try {
      const values = getArgumentValues(field, node, variables);
      // The resolvers of introspection read only the schema.
      return field.resolve?.(source, values, undefined, { schema } as GraphQLResolveInfo);
    } catch {
      return null;
    }
  }

  private value(value: unknown, node: FieldNode, type: GraphQLOutputType): AnswerSize {
    if (value === null || value === undefined) return nothing;
    if (Array.isArray(value)) return value.map((entry) => this.value(entry, node, type)).reduce(add, nothing);
    const named = getNamedType(type);
    if (isLeafType(named)) return { nodes: 1, bytes: JSON.stringify(named.serialize(value)).length };
    if (!isObjectType(named) || node.selectionSet === undefined) return nothing;
    return add(nothing, this.selection(node.selectionSet, named, value));
  }

  private selection(selectionSet: SelectionSetNode, type: GraphQLObjectType, source: unknown): AnswerSize {
    const bySource = this.measured.get(selectionSet) ?? new Map<unknown, AnswerSize>();
    this.measured.set(selectionSet, bySource);
    const existing = bySource.get(source);
    if (existing !== undefined) return existing;
    const sizes = distinctSelections(selectionSet).map((selection): AnswerSize => {
      const size = this.selected(selection, type, source);
      return { ...size, nodes: size.nodes + conditionWeight(selection, this.options.variables) };
    });
    const size = sizes.reduce(add, none);
    bySource.set(source, size);
    return size;
  }

  private selected(selection: SelectionNode, type: GraphQLObjectType, source: unknown): AnswerSize {
    if (selection.kind === Kind.FIELD)
      return this.field(selection, type.getFields()[selection.name.value] as Field | undefined, source);
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : this.options.fragments.get(selection.name.value);
    return inner === undefined ? none : this.selection(inner.selectionSet, type, source);
  }
}

function add(left: AnswerSize, right: AnswerSize): AnswerSize {
  return { nodes: left.nodes + right.nodes, bytes: left.bytes + right.bytes };
}
