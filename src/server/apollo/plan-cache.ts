import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, visit } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Plan } from '../../execution/plan';
import { planQuery } from '../../execution/planner';
import { coerceVariables, planVariables, type VariablePlan, type VariableValues } from '../../execution/variables';
import { isCacheable } from './document-store';
import { weighDocument, weighText } from './document-weight';

/** Of all plans that are kept, in memory, each with the document that it refers to. */
const maxBytes = 48_000_000;
const maxPlanBytes = 6_000_000;
/** Measured: a planned field with its place in its selection. */
const bytesPerField = 700;
const bytesPerPlan = 1_000;

/** What is worked out of an operation once: how its variables are read, and which of them decide what is asked. */
interface PreparedOperation {
  readonly id: number;
  readonly variables: readonly VariablePlan[];
  readonly conditions: readonly string[];
  /** Its latest plan where the document is not kept: it goes with it. */
  latest: { readonly key: string; readonly plan: Plan | null } | null;
}

/** Plans by operation and by what its `@skip` and `@include` come to. */
export class PlanCache {
  private readonly operations = new WeakMap<OperationDefinitionNode, PreparedOperation>();
  private operationCount = 0;
  private readonly plans = new LRUCache<string, { readonly plan: Plan | null; readonly size: number }>({
    maxSize: maxBytes,
    maxEntrySize: maxPlanBytes,
    sizeCalculation: ({ size }) => size,
  });

  constructor(private readonly schema: GraphQLSchema) {}

  /** How many plans are kept. */
  get count(): number {
    return this.plans.size;
  }

  /** Bytes that the plans take with their documents, by estimate. */
  get size(): number {
    return this.plans.calculatedSize;
  }

  /** Null where graphql-js has to run the operation, or has something to say about its variables. */
  find(document: DocumentNode, operation: OperationDefinitionNode | undefined, values: VariableValues) {
    if (operation?.operation !== 'query') return null;
    const prepared = this.operations.get(operation) ?? this.prepare(document, operation);
    const variables = coerceVariables(prepared.variables, values);
    const plan = variables === null ? null : this.planFor(prepared, document, operation, variables);
    return variables === null || plan === null ? null : { plan, variables };
  }

  private prepare(document: DocumentNode, operation: OperationDefinitionNode): PreparedOperation {
    this.operationCount += 1;
    const variables = planVariables(this.schema, operation);
    const prepared = { id: this.operationCount, variables, conditions: findConditions(document), latest: null };
    this.operations.set(operation, prepared);
    return prepared;
  }

  private planFor(
    prepared: PreparedOperation,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: VariableValues,
  ): Plan | null {
    const { id, conditions, latest } = prepared;
    const key = conditions.length === 0 ? `${id}` : `${id} ${conditions.map((name) => variables[name]).join()}`;
    const cached = this.plans.get(key) ?? (latest?.key === key ? latest : undefined);
    if (cached !== undefined) return cached.plan;
    const plan = planQuery(this.schema, document, operation, variables);
    // What may name somebody stays with its document: a plan that is kept would keep it.
    if (isCacheable(document)) this.plans.set(key, { plan, size: weigh(plan, key, document) });
    else prepared.latest = { key, plan };
    return plan;
  }
}

function weigh(plan: Plan | null, key: string, document: DocumentNode): number {
  const bytes = bytesPerPlan + weighText(key);
  return plan === null ? bytes : bytes + plan.size * bytesPerField + weighDocument(document);
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
