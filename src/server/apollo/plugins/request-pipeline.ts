import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { GraphQLError, type OperationDefinitionNode } from 'graphql';
import { detachSource } from '../../../graph/operations/document-source';
import { isNestedTooDeep, maxNesting } from '../../../registry/endpoint/nesting';
import { holdsNul } from '../../../registry/endpoint/nul';
import { omitErrors } from '../../errors/omitted-errors';
import type { RequestContext } from '../../request-context';
import type { Services } from '../../services';
import { toLoggableName } from '../../telemetry/log-fields';
import { toPluginResponse } from '../plugin-response';
import { createGetCheck } from './get-check';
import { createIntrospectionCheck } from './introspection-check';
import { allowLegacyStatusCode } from './legacy-status-codes';
import { SignatureLimiter } from './signature-limit';
import { addUnits, UnitBudget } from './unit-budget';

/** Creates the plugin with padron's steps of a request, in their order. Several plugins would need more promises for each request. */
export function createRequestPipeline(services: Services): ApolloServerPlugin<RequestContext> {
  const { graph, limiter, metrics, errors, errorReference } = services;
  const signatures = new SignatureLimiter();
  const checkGet = createGetCheck(graph);
  const checkIntrospection = createIntrospectionCheck(services);
  const budget = new UnitBudget((code) => metrics.recordError(code), errorReference.urlOf);
  const listener: GraphQLRequestListener<RequestContext> = {
    parsingDidStart: async (parsed) => async () => {
      if (parsed.document !== undefined) detachSource(parsed.document);
    },
    didResolveOperation: async ({ document, operation, operationName, request, contextValue }) => {
      contextValue.logContext.operation = toLoggableName(operationName);
      if (operation === undefined) return;
      rejectVariables(operation, request.variables ?? {});
      contextValue.logContext.operationType = operation.operation;
      limiter.check(document, operation, request.variables ?? {});
      signatures.check(document, operation);
      if (request.http?.method === 'GET') checkGet(document);
      await checkIntrospection?.(document, contextValue.caller);
    },
    responseForOperation: async (resolved) => {
      const { operation, request, contextValue } = resolved;
      // Apollo also calls this method if the document has no operation with the requested name. graphql-js then reports the error.
      if (operation === undefined) return budget.intercept(resolved);
      // A dry run reports the same errors: a price of zero would look like a free operation.
      const found = errors.findVariableErrors(operation, request.variables ?? {}, contextValue.requestId);
      return found.length === 0 ? budget.intercept(resolved) : toPluginResponse({ errors: found }, 400);
    },
    didEncounterErrors: async ({ errors: found, operation, contextValue }) => {
      // Until the operation is known, graphql-js limits the number of errors itself.
      if (operation !== undefined) omitErrors(found);
      errors.formatAll(found, contextValue.requestId);
    },
    willSendResponse: async ({ contextValue, response }) => {
      // padron negotiated the type before it sent paid calls. Apollo Server would do it now, unless the header is set.
      response.http.headers.set('content-type', contextValue.contentType);
      contextValue.recorder?.recordSavings(contextValue.units.repeated.all);
      addUnits(response, contextValue.units);
      const { droppedLabels } = contextValue;
      if (droppedLabels.length > 0) response.http.headers.set('x-label-dropped', droppedLabels.join(', '));
      if (contextValue.legacyStatusCodes) allowLegacyStatusCode(response);
    },
  };
  return { requestDidStart: async () => listener };
}

type Variables = Readonly<Record<string, unknown>>;

/**
 * Rejects a request with a NUL in a variable, which PostgreSQL cannot store, and with a variable that is nested deeper than the
 * stack allows. Later, the errors would be unclear.
 */
function rejectVariables({ variableDefinitions = [] }: OperationDefinitionNode, variables: Variables): void {
  for (const { variable } of variableDefinitions) {
    const name = variable.name.value;
    const problem = Object.hasOwn(variables, name) ? findValueProblem(variables[name]) : null;
    if (problem !== null)
      throw new GraphQLError(`Variable "$${name}": ${problem}`, {
        extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
      });
  }
}

function findValueProblem(value: unknown): string | null {
  if (isNestedTooDeep(value)) return `it has more than ${maxNesting} levels of lists and objects. Flatten it.`;
  return holdsNul(value) ? 'a text in it has a NUL character (U+0000). Remove it.' : null;
}
