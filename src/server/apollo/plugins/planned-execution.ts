import type { ApolloServerPlugin, GraphQLRequestListener, GraphQLResponse } from '@apollo/server';
import type { DocumentNode, GraphQLFormattedError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { type Execution, executePlan } from '../../../execution/execute';
import type { ResultObject } from '../../../execution/result';
import type { VariableValues } from '../../../execution/variables';
import type { Context } from '../../../graph/context';
import type { ErrorFormatter } from '../../errors/error-formatter';
import { omittedErrors } from '../../errors/omitted-errors';
import type { RequestContext } from '../../request-context';
import { PlanCache } from '../plan-cache';
import { toPluginResponse } from '../plugin-response';

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
        const { data, errors: found, omittedErrors: omitted, isLarge } = await execution;
        contextValue.delivery.isLarge = isLarge;
        const all = omitted === 0 ? found : [...found, omittedErrors(omitted)];
        // Apollo formats no errors of an answer that a plugin gives.
        return toResponse(
          data,
          all.map((error) => errors.formatExecutionError(error, request.variables, contextValue.requestId)),
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
