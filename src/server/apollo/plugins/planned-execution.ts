import type { ApolloServerPlugin, GraphQLRequestListener, GraphQLResponse } from '@apollo/server';
import {
  type DocumentNode,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { type Execution, executePlan } from '../../../execution/execute';
import type { Plan } from '../../../execution/plan';
import { planQuery } from '../../../execution/planner';
import type { ResultObject } from '../../../execution/result';
import { coerceVariables, planVariables, type VariablePlan, type VariableValues } from '../../../execution/variables';
import type { Context } from '../../../graph/context';
import type { ErrorFormatter } from '../../errors/error-formatter';
import type { RequestContext } from '../../request-context';
import { isCacheable } from '../document-store';
import { toPluginResponse } from '../plugin-response';

/** Of all plans that are kept. A document that a plan keeps in memory counts as the fields that would take as much. */
const maxFields = 120_000;
const charactersPerField = 17;

/** Runs an operation by its plan in the place of graphql-js, to the same answer. What has no plan is left to graphql-js. */
export class PlannedExecution implements ApolloServerPlugin<RequestContext> {
  private readonly plans: PlanCache;
  private readonly listener: GraphQLRequestListener<RequestContext>;

  constructor(schema: GraphQLSchema, errors: ErrorFormatter) {
    this.plans = new PlanCache(schema);
    this.listener = {
      responseForOperation: async (asked) => {
        const { request, contextValue } = asked;
        const execution = this.execute(asked, request.variables ?? {}, contextValue);
        if (execution === null) return null;
        const { data, errors: found, isLarge } = await execution;
        contextValue.delivery.isLarge = isLarge;
        // Apollo formats no errors of an answer that a plugin gives.
        return toResponse(
          data,
          found.map((error) => errors.formatExecutionError(error, request.variables, contextValue.requestId)),
        );
      },
    };
  }

  async requestDidStart(): Promise<GraphQLRequestListener<RequestContext>> {
    return this.listener;
  }

  /** Null where graphql-js has to run it. */
  execute(
    { document, operation }: ParsedOperation,
    variables: VariableValues,
    context: Context,
  ): Promise<Execution> | null {
    const planned = this.plans.find(document, operation, variables);
    return planned === null ? null : executePlan(planned.plan, context, planned.variables);
  }
}

interface ParsedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** The data stay as they are until they are written: see `stringify-result.ts`. */
function toResponse(data: ResultObject | null, errors: readonly GraphQLFormattedError[]): GraphQLResponse {
  const singleResult = { data: data as Record<string, unknown> | null, ...(errors.length === 0 ? {} : { errors }) };
  return toPluginResponse(singleResult);
}

/** What is worked out of an operation once: how its variables are read, and which of them decide what is asked. */
interface PreparedOperation {
  readonly id: number;
  readonly variables: readonly VariablePlan[];
  readonly conditions: readonly string[];
}

/** Plans by operation and by what its `@skip` and `@include` come to. */
export class PlanCache {
  private readonly operations = new WeakMap<OperationDefinitionNode, PreparedOperation>();
  private operationCount = 0;
  private readonly plans = new LRUCache<string, { readonly plan: Plan | null; readonly size: number }>({
    maxSize: maxFields,
    sizeCalculation: ({ size }) => size,
  });

  constructor(private readonly schema: GraphQLSchema) {}

  /** How many plans are kept. */
  get count(): number {
    return this.plans.size;
  }

  /** What the plans take, in fields. */
  get size(): number {
    return this.plans.calculatedSize;
  }

  /** Null where graphql-js has to run the operation, or has something to say about its variables. */
  find(document: DocumentNode, operation: OperationDefinitionNode | undefined, values: VariableValues) {
    // What may name somebody is read anew each time: a plan would keep it.
    if (operation?.operation !== 'query' || !isCacheable(document)) return null;
    const prepared = this.operations.get(operation) ?? this.prepare(document, operation);
    const variables = coerceVariables(prepared.variables, values);
    const plan = variables === null ? null : this.planFor(prepared, document, operation, variables);
    return variables === null || plan === null ? null : { plan, variables };
  }

  private prepare(document: DocumentNode, operation: OperationDefinitionNode): PreparedOperation {
    this.operationCount += 1;
    const variables = planVariables(this.schema, operation);
    const prepared = { id: this.operationCount, variables, conditions: findConditions(document) };
    this.operations.set(operation, prepared);
    return prepared;
  }

  private planFor(
    { id, conditions }: PreparedOperation,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: VariableValues,
  ): Plan | null {
    const key = conditions.length === 0 ? `${id}` : `${id} ${conditions.map((name) => variables[name]).join()}`;
    const cached = this.plans.get(key);
    if (cached !== undefined) return cached.plan;
    const plan = planQuery(this.schema, document, operation, variables);
    const size = (plan?.size ?? 0) + Math.ceil((document.loc?.end ?? 0) / charactersPerField);
    this.plans.set(key, { plan, size: Math.max(1, size) });
    return plan;
  }
}

/** Variables that decide which fields are asked. */
function findConditions(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: ({ arguments: values = [] }) => {
      for (const { value } of values) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}
