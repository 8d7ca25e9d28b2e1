import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { clientError } from '../client-error';
import type { CatalogueEntry } from '../paid-field';
import { type FieldSizes, fieldWeights, type OperationSize, OperationSizer } from './operation-size';
import { isLongText } from './selections';

export type OperationLimits = OperationSize;

const maxSizes = 32;

type Variables = Readonly<Record<string, unknown>>;

/**
 * Cached sizes of an operation. Their key is made of the lengths of the lists in its variables, and of which variables are null or
 * long.
 */
interface MeasuredOperation {
  readonly names: readonly string[];
  readonly byLengths: Map<string, OperationSize>;
}

export interface Excess {
  readonly limit: string;
  /** Value of the operation, or null if it is too large for a number. */
  readonly value: number | null;
  readonly allowed: number;
  readonly message: string;
  readonly spanish: string;
}

export class OperationLimiter {
  private readonly operations = new WeakMap<OperationDefinitionNode, MeasuredOperation>();
  private readonly schema: GraphQLSchema;
  private readonly sizes: FieldSizes;

  constructor(
    graph: {
      readonly schema: GraphQLSchema;
      readonly sdl: string;
      readonly catalogue: readonly CatalogueEntry[];
      readonly parts: readonly { readonly weights?: FieldSizes['weights'] }[];
    },
    private readonly limits: OperationLimits,
  ) {
    this.schema = graph.schema;
    this.sizes = {
      lists: {
        registryEndpoints: graph.catalogue.length,
        types: Object.keys(graph.schema.getTypeMap()).length,
        directives: graph.schema.getDirectives().length,
      },
      weights: Object.assign({}, fieldWeights, ...graph.parts.map(({ weights }) => weights)),
      // Introspection returns many descriptions. A description is assumed to have 100 bytes.
      texts: { sdl: JSON.stringify(graph.sdl).length, description: 100, identifiers: 2_600 },
    };
  }

  check(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): void {
    if (!this.schema.getRootType(operation.operation)) throw unsupportedOperation(operation);
    const excess = this.findExcess(this.measure(document, operation, variables));
    if (excess !== null) throw operationTooLarge(excess);
  }

  measure(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): OperationSize {
    const { names, byLengths } = this.getMeasured(operation);
    const lengths = names.map((name) => getLength(variables, name)).join();
    const existing = byLengths.get(lengths);
    if (existing !== undefined) return existing;
    const { schema, sizes } = this;
    const size = new OperationSizer({ document, schema, variables, sizes }).measure(operation);
    if (byLengths.size >= maxSizes) byLengths.clear();
    byLengths.set(lengths, size);
    return size;
  }

  findExcess(size: OperationSize): Excess | null {
    for (const limit of limitNames) {
      const [value, allowed] = [size[limit], this.limits[limit]];
      if (value <= allowed) continue;
      const finiteValue = Number.isFinite(value) ? value : null;
      const message = messages[limit](finiteValue === null ? `more than ${allowed}` : `${finiteValue}`, allowed);
      const spanish = spanishMessages[limit](finiteValue === null ? `más de ${allowed}` : `${finiteValue}`, allowed);
      return { limit, value: finiteValue, allowed, message, spanish };
    }
    return null;
  }

  private getMeasured(operation: OperationDefinitionNode): MeasuredOperation {
    const existing = this.operations.get(operation);
    if (existing !== undefined) return existing;
    const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
    const measured = { names, byLengths: new Map() };
    this.operations.set(operation, measured);
    return measured;
  }
}

/** Returns the length of a list, or a marker for a variable that is omitted, null or long. Any other value has the length 1. */
function getLength(variables: Variables, name: string): number | '-' | 'null' | 'long' {
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value === undefined) return '-';
  if (value === null) return 'null';
  if (isLongText(value)) return 'long';
  return Array.isArray(value) ? value.length : 1;
}

const limitNames = ['depth', 'aliases', 'entities', 'nodes', 'bytes'] as const;

const messages: Readonly<Record<keyof OperationSize, (size: string, allowed: number) => string>> = {
  depth: (levels, allowed) => `The operation is ${levels} levels deep. The limit is ${allowed}: split it.`,
  nodes: (values, allowed) => `The answer may have ${values} values. The limit is ${allowed}: select less.`,
  bytes: (bytes, allowed) => `The answer may have ${bytes} bytes. The limit is ${allowed}: select less.`,
  aliases: (names, allowed) => `The operation has ${names} aliases. The limit is ${allowed}: split it.`,
  entities: (representations, allowed) =>
    `The operation requests ${representations} entities. The limit is ${allowed}: split it.`,
};

const spanishMessages: typeof messages = {
  depth: (levels, allowed) => `La operación tiene ${levels} niveles. El límite es ${allowed}: divídala.`,
  nodes: (values, allowed) => `La respuesta puede tener ${values} valores. El límite es ${allowed}: pida menos.`,
  bytes: (bytes, allowed) => `La respuesta puede tener ${bytes} bytes. El límite es ${allowed}: pida menos.`,
  aliases: (names, allowed) => `La operación tiene ${names} alias. El límite es ${allowed}: divídala.`,
  entities: (representations, allowed) =>
    `La operación pide ${representations} entidades. El límite es ${allowed}: divídala.`,
};

/** Returns an error for the client. graphql-js would report this as an internal error when it runs the operation. */
function unsupportedOperation({ operation }: OperationDefinitionNode): GraphQLError {
  const message = `This graph has no ${operation}s. Use a query or a mutation.`;
  return clientError('GRAPHQL_VALIDATION_FAILED', message, { http: { status: 400 } });
}

function operationTooLarge({ message, limit, value, allowed }: Excess): GraphQLError {
  return clientError('OPERATION_TOO_LARGE', message, { limit, value, allowed, http: { status: 400 } });
}

/**
 * Maximum size of all files in one response. Apollo Server and its clients hold the whole response in memory, and other requests wait
 * while it is written as JSON.
 */
const maxBytesOfResponse = 8_000_000;

/** Limits the bytes of file content in one response. Files are admitted in the order in which they are loaded, and each copy counts. */
export class ContentBudget {
  private readonly exceededPaths = new Set<string>();

  constructor(private remaining = maxBytesOfResponse) {}

  get isUsedUp(): boolean {
    return this.remaining <= 0;
  }

  /** Reserves the bytes of the file at this path of the response. Returns false if they exceed the budget. */
  reserve(path: string, bytes: number): boolean {
    if (bytes > this.remaining) {
      this.exceededPaths.add(path);
      return false;
    }
    this.remaining -= bytes;
    return true;
  }

  isExceededAt(path: string): boolean {
    return this.exceededPaths.has(path);
  }
}

/** Limits the work of all estimates in one request. Each estimate parses a document and runs it once per row. */
export class DryRunBudget {
  private usedNodes = 0;
  private usedTokens = 0;

  constructor(private readonly limits: { readonly tokens: number; readonly estimateNodes: number }) {}

  get maxNodes(): number {
    return this.limits.estimateNodes;
  }

  get remainingTokens(): number {
    return Math.max(0, this.limits.tokens - this.usedTokens);
  }

  addTokens(count: number): void {
    this.usedTokens += count;
  }

  addNodes(count: number): number {
    this.usedNodes += count;
    return this.usedNodes;
  }
}
