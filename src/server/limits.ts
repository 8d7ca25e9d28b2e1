import type { ApolloServerPlugin } from '@apollo/server';
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
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
import type { RequestContext } from './context';

interface Size {
  readonly depth: number;
  /** Objects and values that an answer may hold, by estimate. */
  readonly nodes: number;
  /** Names given to fields: what lets one ask the same field again, at the root as anywhere. */
  readonly aliases: number;
  /** Representations that `_entities` is asked for. */
  readonly entities: number;
}

export type OperationLimits = Size;

/** An operation within its document. */
export interface ReadOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly schema: GraphQLSchema;
}

const nothing: Size = { depth: 0, nodes: 0, aliases: 0, entities: 0 };

/** What lists are reckoned with; most lists of this graph hold a handful. */
const entries: Readonly<Record<string, number>> = {
  records: 10,
  problems: 1,
  path: 1,
  warnings: 1,
  receiptsBetween: 12,
};
const otherEntries = 5;

/** Fields that take more work than their answer shows: an estimate rehearses a whole operation. */
const heavy: Readonly<Record<string, number>> = { unitEstimate: 20_000 };

/** Refuses operations whose answer would be out of proportion, before anything is asked. */
export function limitOperations(limits: OperationLimits): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      didResolveOperation: async ({ document, operation, schema, request }) => {
        if (operation === undefined) return;
        if (!schema.getRootType(operation.operation)) throw unknownKind(operation);
        const excess = excessOf({ document, operation, schema }, request.variables ?? {}, limits);
        if (excess !== null) throw tooMuch(excess);
      },
    }),
  };
}

/** In what way an operation is too large, in words; null where it is not. Of its variables only the lengths of lists count. */
export function excessOf(
  { document, operation, schema }: ReadOperation,
  variables: Readonly<Record<string, unknown>>,
  limits: OperationLimits,
): string | null {
  const size = new Measure(document, schema, variables).of(operation);
  const what = (['depth', 'aliases', 'entities', 'nodes'] as const).find((each) => size[each] > limits[each]);
  return what === undefined ? null : `${words[what](size[what])}; at most ${limits[what]} are answered.`;
}

const words: Readonly<Record<keyof Size, (size: number) => string>> = {
  depth: (levels) => `The operation is ${levels} levels deep`,
  nodes: (values) => `The answer may hold ${values} values`,
  aliases: (names) => `The operation gives ${names} aliases`,
  entities: (representations) => `The operation asks for ${representations} entities`,
};

/** Measures an operation without unfolding it: a fragment is measured once, however often it is spread. */
class Measure {
  private readonly fragments = new Map<string, Size>();
  /** Lists that variables hold when nothing is given. */
  private readonly defaults = new Map<string, readonly unknown[]>();

  constructor(
    private readonly document: DocumentNode,
    private readonly schema: GraphQLSchema,
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {}

  of({ operation, selectionSet, variableDefinitions }: OperationDefinitionNode): Size {
    for (const { variable, defaultValue } of variableDefinitions ?? []) {
      if (defaultValue?.kind === Kind.LIST) this.defaults.set(variable.name.value, defaultValue.values);
    }
    return this.selection(selectionSet, this.schema.getRootType(operation) ?? null);
  }

  private selection({ selections }: SelectionSetNode, parent: GraphQLNamedType | null): Size {
    const sizes = selections.map((selection): Size => {
      if (selection.kind === Kind.FIELD) return this.field(selection, parent);
      if (selection.kind === Kind.FRAGMENT_SPREAD) return this.fragment(selection.name.value);
      const type = selection.typeCondition === undefined ? parent : this.typeNamed(selection.typeCondition.name.value);
      return this.selection(selection.selectionSet, type);
    });
    return sizes.reduce(sum, nothing);
  }

  private field(node: FieldNode, parent: GraphQLNamedType | null): Size {
    const name = node.name.value;
    // Introspection is as deep as it is, and costs nothing.
    const aliases = node.alias === undefined ? 0 : 1;
    if (name.startsWith('__')) return { ...nothing, aliases };
    const type = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;
    if (type === undefined) return nothing;
    const inner = node.selectionSet === undefined ? nothing : this.selection(node.selectionSet, getNamedType(type));
    const own = heavy[name] ?? 1;
    const list = this.entriesOf(node, type);
    return {
      depth: inner.depth + 1,
      nodes: own + list * Math.max(1, inner.nodes),
      aliases: inner.aliases + aliases,
      entities: inner.entities + (name === '_entities' ? list : 0),
    };
  }

  private fragment(name: string): Size {
    const known = this.fragments.get(name);
    // Spread again it may multiply values, but its aliases stand in the document once.
    if (known !== undefined) return { ...known, aliases: 0 };
    const node = this.document.definitions.find(
      (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name,
    );
    if (node?.kind !== Kind.FRAGMENT_DEFINITION) return nothing;
    const size = this.selection(node.selectionSet, this.typeNamed(node.typeCondition.name.value));
    this.fragments.set(name, size);
    return size;
  }

  private entriesOf(node: FieldNode, type: GraphQLOutputType): number {
    if (!isListType(getNullableType(type))) return 1;
    const name = node.name.value;
    return name === '_entities' ? this.representations(node) : (entries[name] ?? otherEntries);
  }

  private representations({ arguments: given }: FieldNode): number {
    const value = given?.[0]?.value;
    if (value?.kind === Kind.LIST) return value.values.length;
    if (value?.kind !== Kind.VARIABLE) return 1;
    const { value: name } = value.name;
    const own = Object.hasOwn(this.variables, name) ? this.variables[name] : null;
    const list = own ?? this.defaults.get(name);
    return Array.isArray(list) ? list.length : 1;
  }

  private typeNamed(name: string): GraphQLNamedType | null {
    const type = this.schema.getType(name);
    return isCompositeType(type) ? type : null;
  }
}

/** graphql-js finds out when it runs the operation, and calls that a fault of ours. */
function unknownKind({ operation }: OperationDefinitionNode): GraphQLError {
  const extensions = { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } };
  return new GraphQLError(`This graph has no ${operation}s.`, { extensions });
}

function sum(one: Size, other: Size): Size {
  return {
    depth: Math.max(one.depth, other.depth),
    nodes: one.nodes + other.nodes,
    aliases: one.aliases + other.aliases,
    entities: one.entities + other.entities,
  };
}

function tooMuch(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'OPERATION_TOO_LARGE', http: { status: 400 } } });
}
