import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import type { LRUCache } from 'lru-cache';
import { type Plan, planQuery } from '../execution/plan';
import { planVariables, readVariables, type Values, type VariablePlan } from '../execution/variables';
import { findCrowded } from './crowded-variables';
import { excessOf, type OperationLimits } from './limits';
import { type LoggableName, loggableName } from './request-log';

/** Verdicts on the size of one operation, by the lists that it is given. */
const mostVerdicts = 32;

/** A question that needs nothing but to be asked. */
export interface ReadyQuestion {
  readonly name: LoggableName | null;
  readonly plan: Plan;
  readonly variables: Values;
  /** The variables as they came. */
  readonly given: Values;
}

/** Plans of all operations, by operation and by what its `@skip` and `@include` come to. */
export type Plans = LRUCache<string, { readonly plan: Plan | null }>;

let operations = 0;

/** A query that was read and checked, with its plans. */
export class KnownOperation {
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
    readonly operationName: string | null,
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
