import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { type Plan, planQuery } from '../execution/plan';
import { planVariables, readVariables, type VariablePlan } from '../execution/variables';
import { findCrowded } from './crowded-variables';
import { holdsValues } from './document-store';
import { excessOf, type OperationLimits } from './limits';
import { nestsTooDeep } from './nesting';
import { type LoggableName, loggableName } from './request-log';

type Values = Readonly<Record<string, unknown>>;

const mostOperations = 1_000;
/** Of all documents kept: what is read from one takes some thirty times its text. */
const mostCharacters = 2_000_000;
const longestDocument = 50_000;
/** Of one operation: plans, by what its `@skip` and `@include` come to, and verdicts on its size. */
const mostVariants = 32;

/** Limits of a document that is read and of what it may ask. */
export type ReadingLimits = OperationLimits & { readonly tokens: number };

/** A question that needs nothing but to be asked. */
export interface ReadyQuestion {
  readonly name: LoggableName | null;
  readonly plan: Plan;
  readonly variables: Values;
  /** The variables as they came. */
  readonly given: Values;
}

/** Queries that were read, checked and planned before. What holds values of its own is not kept (see `document-store.ts`). */
export class KnownOperations {
  private readonly known = new LRUCache<string, KnownOperation>({
    max: mostOperations,
    maxSize: mostCharacters,
    sizeCalculation: (_operation, key) => key.length,
  });

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: ReadingLimits,
  ) {}

  /** Null where there is anything to say about the question, or it is not for a plan: Apollo finds out, and tells. */
  ready(source: string, operationName: string | null, given: Values): ReadyQuestion | null {
    const key = operationName === null ? source : `${operationName} ${source}`;
    const known = this.known.get(key);
    if (known !== undefined) return known.ready(given);
    const read = this.read(source, operationName);
    if (read === null) return null;
    this.known.set(key, read);
    return read.ready(given);
  }

  private read(source: string, operationName: string | null): KnownOperation | null {
    if (source.length > longestDocument || nestsTooDeep(source)) return null;
    const document = parsed(source, this.limits.tokens);
    if (document === null || holdsValues(document)) return null;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== 'query' || validate(this.schema, document).length > 0) return null;
    return new KnownOperation(document, operation, this.schema, this.limits);
  }
}

class KnownOperation {
  private readonly name: LoggableName | null;
  private readonly conditions: readonly string[];
  private readonly variables: readonly VariablePlan[];
  private readonly takesObjects: boolean;
  private readonly plans = new Map<string, Plan | null>();
  private readonly verdicts = new Map<string, boolean>();

  constructor(
    private readonly document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
    private readonly schema: GraphQLSchema,
    private readonly limits: OperationLimits,
  ) {
    this.name = loggableName(operation.name?.value ?? null);
    this.conditions = conditionsIn(document);
    this.variables = planVariables(schema, operation);
    this.takesObjects = this.variables.some(({ type }) => isInputObjectType(getNamedType(type)));
  }

  ready(given: Values): ReadyQuestion | null {
    const { name, operation, schema } = this;
    if (!this.fits(given) || (this.takesObjects && findCrowded(operation, schema, given) !== null)) return null;
    const variables = readVariables(this.variables, given);
    const plan = variables === null ? null : this.planFor(variables);
    return variables === null || plan === null ? null : { name, plan, variables, given };
  }

  /** Of variables, only the lengths of lists make an operation large. */
  private fits(given: Values): boolean {
    const { document, operation, schema, limits } = this;
    const lengths = this.variables.map(({ name }) => lengthOf(given[name])).join();
    return remembered(this.verdicts, lengths, () => excessOf({ document, operation, schema }, given, limits) === null);
  }

  private planFor(variables: Values): Plan | null {
    const read = this.conditions.map((name) => variables[name]).join();
    return remembered(this.plans, read, () => planQuery(this.schema, this.document, this.operation, variables));
  }
}

function remembered<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = make();
  if (known.size >= mostVariants) known.clear();
  known.set(key, value);
  return value;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function parsed(source: string, maxTokens: number): DocumentNode | null {
  try {
    return parse(source, { maxTokens });
  } catch {
    return null;
  }
}

/** Variables that decide which fields are asked. */
function conditionsIn(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: ({ arguments: given = [] }) => {
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}
