import type { GraphQLResponse } from '@apollo/server';

/** Errors of a document or its variables: the HTTP request itself was well-formed. */
const documentErrors: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'OPERATION_TOO_LARGE',
]);

/** Sends the errors of a document with status 200, for clients that read no body behind another one (see `http/content-negotiation.ts`). */
export function allowLegacyStatusCode({ http, body }: GraphQLResponse): void {
  if (http.status === 400 && hasDocumentErrorsOnly(body)) http.status = 200;
}

function hasDocumentErrorsOnly(body: GraphQLResponse['body']): boolean {
  if (body.kind !== 'single') return false;
  return body.singleResult.errors?.every(({ extensions }) => documentErrors.has(extensions?.code)) === true;
}
