import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { GraphQLError, type OperationDefinitionNode } from 'graphql';
import { detachSource } from '../../../graph/operations/document-source';
import { holdsNul } from '../../../registry/endpoint/nul';
import { omitErrors } from '../../errors/omitted-errors';
import type { RequestContext } from '../../request-context';
import type { Services } from '../../services';
import { toLoggableName } from '../../telemetry/log-fields';
import { toPluginResponse } from '../plugin-response';
import { isLarge, stringifyInChunks } from '../stringify-result';
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
      rejectNul(operation, request.variables ?? {});
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
      response.http.headers.set('content-type', contextValue.delivery.contentType);
      addUnits(response, contextValue.units);
      if (contextValue.legacyStatusCodes) allowLegacyStatusCode(response);
      const { delivery, contentBudget } = contextValue;
      if (response.body.kind !== 'single' || !isLarge(contentBudget.used)) return;
      delivery.chunks = stringifyInChunks(response.body.singleResult);
      response.body.singleResult = {};
    },
  };
  return { requestDidStart: async () => listener };
}

type Variables = Readonly<Record<string, unknown>>;

/** Rejects a request with a NUL in a variable. PostgreSQL cannot store it, and its error would be late and unclear. */
function rejectNul({ variableDefinitions = [] }: OperationDefinitionNode, variables: Variables): void {
  const names = variableDefinitions.map(({ variable }) => variable.name.value);
  const name = names.find((candidate) => Object.hasOwn(variables, candidate) && holdsNul(variables[candidate]));
  if (name === undefined) return;
  throw new GraphQLError(`Variable "$${name}": a text in it has a NUL character (U+0000). Remove it.`, {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  });
}
