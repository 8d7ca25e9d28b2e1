import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { GraphQLError, type OperationDefinitionNode } from 'graphql';
import { detachSource } from '../../../graph/operations/document-source';
import { holdsNul } from '../../../registry/endpoint/nul';
import { omitErrors } from '../../errors/omitted-errors';
import type { RequestContext } from '../../request-context';
import type { Services } from '../../services';
import { loggableName } from '../../telemetry/log-fields';
import { toPluginResponse } from '../plugin-response';
import { isLarge, stringifyInChunks } from '../stringify-result';
import { allowLegacyStatusCode } from './legacy-status-codes';
import { createPaidGetRule } from './no-paid-get';
import { SignatureLimiter } from './signature-limit';
import { addUnits, UnitBudget } from './unit-budget';

/**
 * Returns padron's steps around Apollo Server's, in the order of a request. A single plugin keeps the number of
 * promises per request low.
 */
export function requestPipeline(services: Services): ApolloServerPlugin<RequestContext> {
  const { graph, limiter, metrics, errors, errorReference } = services;
  const signatures = new SignatureLimiter();
  const rejectPaidGet = createPaidGetRule(graph);
  const budget = new UnitBudget((code) => metrics.recordError(code), errorReference.urlOf);
  const listener: GraphQLRequestListener<RequestContext> = {
    parsingDidStart: async (parsed) => async () => {
      if (parsed.document !== undefined) detachSource(parsed.document);
    },
    didResolveOperation: async ({ document, operation, operationName, request, contextValue }) => {
      contextValue.logContext.operation = loggableName(operationName);
      if (operation === undefined) return;
      rejectNul(operation, request.variables ?? {});
      contextValue.logContext.operationType = operation.operation;
      limiter.check(document, operation, request.variables ?? {});
      signatures.check(document, operation);
      if (request.http?.method === 'GET') rejectPaidGet(document);
    },
    responseForOperation: async (asked) => {
      const answer = await budget.answerInstead(asked);
      if (answer !== null) return answer;
      const { operation, request, contextValue } = asked;
      // Apollo also calls this if the document has no operation with the requested name. graphql-js reports that.
      if (operation === undefined) return null;
      const found = errors.findVariableErrors(operation, request.variables ?? {}, contextValue.requestId);
      return found.length === 0 ? null : toPluginResponse({ errors: found }, 400);
    },
    didEncounterErrors: async ({ errors: found, operation, contextValue }) => {
      // Before there is an operation graphql-js counts its errors itself.
      if (operation !== undefined) omitErrors(found);
      errors.formatAll(found, contextValue.requestId);
    },
    willSendResponse: async ({ contextValue, response }) => {
      // Negotiated before anything was paid: Apollo does it after, unless it finds it done.
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

/** Rejects a request with a NUL in a variable: PostgreSQL stores none, and the error would come late and say less. */
function rejectNul({ variableDefinitions = [] }: OperationDefinitionNode, variables: Variables): void {
  const names = variableDefinitions.map(({ variable }) => variable.name.value);
  const name = names.find((each) => Object.hasOwn(variables, each) && holdsNul(variables[each]));
  if (name === undefined) return;
  throw new GraphQLError(`Variable "$${name}": a text in it has a NUL character (U+0000). Remove it.`, {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  });
}
