import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { type OperationSize, OperationSizer } from './operation-size';

export type OperationLimits = OperationSize;

/** Verdicts on the size of one operation, by the lengths of the lists that it is given. */
const maxVerdicts = 32;

type Variables = Readonly<Record<string, unknown>>;

/** What is known of an operation's size: of its variables only the lengths of lists count. */
interface Verdicts {
  readonly lists: readonly string[];
  readonly byLengths: Map<string, string | null>;
}

/** Rejects operations whose answer would be out of proportion, before anything is asked. */
export class OperationLimiter {
  private readonly verdicts = new WeakMap<OperationDefinitionNode, Verdicts>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: OperationLimits,
  ) {}

  check(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): void {
    if (!this.schema.getRootType(operation.operation)) throw unsupportedOperation(operation);
    const { lists, byLengths } = this.getVerdicts(operation);
    const lengths = lists.map((name) => getListLength(variables, name)).join();
    let excess = byLengths.get(lengths);
    if (excess === undefined) {
      excess = this.exceededLimit(document, operation, variables);
      if (byLengths.size >= maxVerdicts) byLengths.clear();
      byLengths.set(lengths, excess);
    }
    if (excess !== null) throw operationTooLarge(excess);
  }

  private getVerdicts(operation: OperationDefinitionNode): Verdicts {
    const existing = this.verdicts.get(operation);
    if (existing !== undefined) return existing;
    const lists = (operation.variableDefinitions ?? [])
      .filter(({ type }) => (type.kind === Kind.NON_NULL_TYPE ? type.type : type).kind === Kind.LIST_TYPE)
      .map(({ variable }) => variable.name.value);
    const verdicts = { lists, byLengths: new Map() };
    this.verdicts.set(operation, verdicts);
    return verdicts;
  }

  /** In what way an operation is too large, in words; null where it is not. */
  private exceededLimit(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Variables,
  ): string | null {
    const size = new OperationSizer(document, this.schema, variables).measure(operation);
    const limit = (['depth', 'aliases', 'entities', 'nodes'] as const).find((name) => size[name] > this.limits[name]);
    return limit === undefined
      ? null
      : `${descriptions[limit](size[limit])}; at most ${this.limits[limit]} are answered.`;
  }
}

/** Without a list, its default counts; anything else counts as one. */
function getListLength(variables: Variables, name: string): number | '-' {
  const value = Object.hasOwn(variables, name) ? variables[name] : null;
  if (value === null || value === undefined) return '-';
  return Array.isArray(value) ? value.length : 1;
}

const descriptions: Readonly<Record<keyof OperationSize, (size: number) => string>> = {
  depth: (levels) => `The operation is ${levels} levels deep`,
  nodes: (values) => `The answer may hold ${values} values`,
  aliases: (names) => `The operation gives ${names} aliases`,
  entities: (representations) => `The operation asks for ${representations} entities`,
};

/** graphql-js finds out when it runs the operation, and calls that an error of ours. */
function unsupportedOperation({ operation }: OperationDefinitionNode): GraphQLError {
  const extensions = { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } };
  return new GraphQLError(`This graph has no ${operation}s.`, { extensions });
}

function operationTooLarge(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'OPERATION_TOO_LARGE', http: { status: 400 } } });
}
