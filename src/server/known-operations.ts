import { createHash } from 'node:crypto';
import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  isInputObjectType,
  isListType,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { type Plan, planQuery } from '../execution/plan';
import { planVariables, readVariables, type Values, type VariablePlan } from '../execution/variables';
import { findCrowded } from './crowded-variables';
import { holdsValues } from './document-store';
import { excessOf, type OperationLimits } from './limits';
import { nestsTooDeep } from './nesting';
import { type LoggableName, loggableName } from './request-log';

const mostOperations = 1_000;
/** Of all documents kept: what is read from one takes some thirty times its text. */
const mostCharacters = 1_000_000;
const longestDocument = 50_000;
/** A planned field takes what so many characters of a document do. */
const charactersOfField = 10;
/** Of all plans that conditions led to. */
const mostFields = 200_000;
/** Verdicts on the size of one operation, by the lists that it is given. */
const mostVerdicts = 32;
const mostRefusals = 5_000;

/** Whoever may look at the schema asks Apollo. */
const rules = [...specifiedRules, NoSchemaIntrospectionCustomRule];

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
    sizeCalculation: ({ source, fieldsKept }) => source.length + fieldsKept * charactersOfField,
  });
  private readonly plans: Plans = new LRUCache({ maxSize: mostFields, sizeCalculation: ({ plan }) => plan?.size ?? 1 });
  /** Hashes of texts that are not for a plan, so that they are not read twice each time: a hash tells nothing of what they hold. */
  private readonly refused = new LRUCache<string, true>({ max: mostRefusals });

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: ReadingLimits,
  ) {}

  /** How many fields are planned in all that conditions led to. */
  get fieldsKept(): number {
    return this.plans.calculatedSize;
  }

  /** Null where there is anything to say about the question, or it is not for a plan: Apollo finds out, and tells. */
  ready(source: string, operationName: string | null, given: Values): ReadyQuestion | null {
    const key = operationName === null ? source : `${operationName} ${source}`;
    const known = this.known.get(key);
    // Another name and another text can make the same key.
    if (known?.source === source) return known.ready(given);
    if (source.length > longestDocument) return null;
    const hash = createHash('sha256').update(key).digest('base64');
    if (this.refused.has(hash)) return null;
    const read = this.read(source, operationName);
    if (read === null) this.refused.set(hash, true);
    else this.known.set(key, read);
    return read?.ready(given) ?? null;
  }

  private read(source: string, operationName: string | null): KnownOperation | null {
    if (nestsTooDeep(source)) return null;
    const document = parsed(source, this.limits.tokens);
    if (document === null || holdsValues(document)) return null;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== 'query' || validate(this.schema, document, rules).length > 0) return null;
    return new KnownOperation(source, document, operation, this.schema, this.limits, this.plans);
  }
}

/** Plans of all operations, by operation and by what its `@skip` and `@include` come to. */
type Plans = LRUCache<string, { readonly plan: Plan | null }>;

let operations = 0;

class KnownOperation {
  private readonly number: number;
  private readonly name: LoggableName | null;
  private readonly conditions: readonly string[];
  private readonly variables: readonly VariablePlan[];
  /** Variables that hold lists: of all that is given, only their lengths make an operation large. */
  private readonly lists: readonly string[];
  private readonly takesObjects: boolean;
  /** The plan where no condition makes a difference; undefined where one does. */
  private readonly onlyPlan: Plan | null | undefined;
  private readonly verdicts = new Map<string, boolean>();

  constructor(
    readonly source: string,
    private readonly document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
    private readonly schema: GraphQLSchema,
    private readonly limits: OperationLimits,
    private readonly plans: Plans,
  ) {
    operations += 1;
    this.number = operations;
    this.name = loggableName(operation.name?.value ?? null);
    this.conditions = conditionsIn(document);
    this.variables = planVariables(schema, operation);
    this.lists = this.variables.filter(({ type }) => isListType(getNullableType(type))).map(({ name }) => name);
    this.takesObjects = this.variables.some(({ type }) => isInputObjectType(getNamedType(type)));
    this.onlyPlan = this.conditions.length === 0 ? planQuery(schema, document, operation, {}) : undefined;
  }

  get fieldsKept(): number {
    return this.onlyPlan?.size ?? 0;
  }

  ready(given: Values): ReadyQuestion | null {
    const { name, operation, schema } = this;
    if (!this.fits(given) || (this.takesObjects && findCrowded(operation, schema, given) !== null)) return null;
    const variables = readVariables(this.variables, given);
    const plan = variables === null ? null : this.planFor(variables);
    return variables === null || plan === null ? null : { name, plan, variables, given };
  }

  private fits(given: Values): boolean {
    const { document, operation, schema, limits, verdicts, lists } = this;
    const lengths = lists.length === 0 ? '' : lists.map((name) => lengthOf(given, name)).join();
    const known = verdicts.get(lengths);
    if (known !== undefined) return known;
    const verdict = excessOf({ document, operation, schema }, given, limits) === null;
    if (verdicts.size >= mostVerdicts) verdicts.clear();
    verdicts.set(lengths, verdict);
    return verdict;
  }

  private planFor(variables: Values): Plan | null {
    if (this.onlyPlan !== undefined) return this.onlyPlan;
    const key = `${this.number} ${this.conditions.map((name) => variables[name]).join()}`;
    const known = this.plans.get(key);
    if (known !== undefined) return known.plan;
    const plan = planQuery(this.schema, this.document, this.operation, variables);
    this.plans.set(key, { plan });
    return plan;
  }
}

/** Without a list, its default counts; anything else counts as one. */
function lengthOf(given: Values, name: string): number | '-' {
  const value = Object.hasOwn(given, name) ? given[name] : null;
  if (value === null || value === undefined) return '-';
  return Array.isArray(value) ? value.length : 1;
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
