import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  TypeNameMetaFieldDef,
} from 'graphql';
// What graphql-js itself collects fields with: their order, merging and conditions are its own.
import { collectFields, collectSubfields } from 'graphql/execution/collectFields';
import { type ArgumentsPlan, planArguments } from './arguments';
import { passThroughKind } from './leaf';
import type { FieldPlan, Plan, SelectionPlan, Shape } from './plan';
import { keyPrefixes } from './result';

/** More fields than this are left to graphql-js: to plan them takes its time. */
const maxFields = 10_000;

/** The operation cannot be planned; graphql-js runs it. */
class UnsupportedOperationError extends Error {}

/** Plans a query, given the variables that its `@skip` and `@include` read; null where graphql-js has to run it. */
export function planQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  conditions: Readonly<Record<string, unknown>>,
): Plan | null {
  if (operation.operation !== 'query') return null;
  try {
    return new Planner(schema, document, conditions).plan(operation);
  } catch (error) {
    // graphql-js itself refuses a condition that is null.
    if (error instanceof UnsupportedOperationError || error instanceof GraphQLError) return null;
    throw error;
  }
}

class Planner {
  private readonly fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  /** Selections by what they select: a fragment spread in many places is planned once. */
  private readonly selections = new Map<string, SelectionPlan>();
  private readonly nodeIds = new Map<FieldNode, number>();
  private size = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly conditions: Readonly<Record<string, unknown>>,
  ) {
    for (const node of document.definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.fragments[node.name.value] = node;
    }
  }

  plan(operation: OperationDefinitionNode): Plan {
    const { schema, fragments } = this;
    const type = schema.getQueryType();
    if (!type) throw new UnsupportedOperationError();
    const fields = collectFields(schema, fragments, this.conditions, type, operation.selectionSet);
    return { schema, operation, fragments, root: this.selection(type, fields), size: this.size };
  }

  private selection(type: GraphQLObjectType, fields: ReadonlyMap<string, readonly FieldNode[]>): SelectionPlan {
    const key = [type.name, ...[...fields.values()].map((nodes) => nodes.map((node) => this.nodeId(node)))].join(' ');
    const existing = this.selections.get(key);
    if (existing !== undefined) return existing;
    // An object type could doubt a value that its field returns; none of this graph does.
    if (type.isTypeOf) throw new UnsupportedOperationError();
    const selection = {
      type,
      fields: [...fields].map(([name, nodes]) => this.field(type, name, nodes)),
      keyPrefixes: [...fields.keys()].flatMap(keyPrefixes),
      beginsWhole: [...fields.values()].some(
        ([node]) => type.getFields()[node?.name.value ?? '']?.extensions.waitsForSiblings === true,
      ),
    };
    this.selections.set(key, selection);
    return selection;
  }

  private field(parent: GraphQLObjectType, key: string, nodes: readonly FieldNode[]): FieldPlan {
    const [node] = nodes;
    this.size += 1;
    if (node === undefined || this.size > maxFields) throw new UnsupportedOperationError();
    const name = node.name.value;
    const field = name === '__typename' ? TypeNameMetaFieldDef : parent.getFields()[name];
    if (field === undefined) throw new UnsupportedOperationError();
    // First what is looked at for every value of an answer, so that it comes from memory together.
    return {
      name,
      typename: name === '__typename' ? parent.name : null,
      resolve: (field.resolve as FieldPlan['resolve']) ?? null,
      shape: this.shape(field.type, nodes),
      key,
      field,
      parent,
      nodes,
      node,
      arguments: this.arguments(field, node),
    };
  }

  private arguments(field: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentsPlan {
    const plan = planArguments(field, node);
    if (plan === null) throw new UnsupportedOperationError();
    return plan;
  }

  private shape(type: GraphQLOutputType, nodes: readonly FieldNode[]): Shape {
    if (isNonNullType(type)) return { ...this.shape(type.ofType, nodes), nullable: false };
    if (isListType(type)) return { kind: 'list', nullable: true, of: this.shape(type.ofType, nodes) };
    if (isLeafType(type)) return { kind: 'leaf', nullable: true, type, passThrough: passThroughKind(type) };
    if (isObjectType(type)) return { kind: 'object', nullable: true, selection: this.subselection(type, nodes) };
    if (!isUnionType(type)) throw new UnsupportedOperationError();
    const selections = type.getTypes().map((member) => [member.name, this.subselection(member, nodes)] as const);
    return { kind: 'union', nullable: true, type, selections: new Map(selections) };
  }

  private subselection(type: GraphQLObjectType, nodes: readonly FieldNode[]): SelectionPlan {
    return this.selection(type, collectSubfields(this.schema, this.fragments, this.conditions, type, nodes));
  }

  private nodeId(node: FieldNode): number {
    const existing = this.nodeIds.get(node) ?? this.nodeIds.size;
    this.nodeIds.set(node, existing);
    return existing;
  }
}
