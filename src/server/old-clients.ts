import type { ApolloServerPlugin, GraphQLResponse } from '@apollo/server';
import type { RequestContext } from './context';

/** Faults of a document or its variables: the HTTP request itself was well-formed. */
const documentFaults: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'OPERATION_TOO_LARGE',
]);

/** Tells the faults of a document with status 200 to clients that read no body behind another one (see `accept.ts`). */
export function answerOldClients(): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ contextValue, response: { http, body } }) => {
        if (contextValue.only200 && http.status === 400 && tellsDocumentFaults(body)) http.status = 200;
      },
    }),
  };
}

function tellsDocumentFaults(body: GraphQLResponse['body']): boolean {
  if (body.kind !== 'single') return false;
  return body.singleResult.errors?.every(({ extensions }) => documentFaults.has(extensions?.code)) === true;
}
