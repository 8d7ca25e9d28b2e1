import type { GraphQLResponse } from '@apollo/server';

/** Codes of errors in a document or its variables. The HTTP request itself was well-formed. */
const documentErrors: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'OPERATION_TOO_LARGE',
]);

/** Sets status 200 for errors of a document, for clients that ignore the body of any other status (see `isLegacyClient`). */
export function allowLegacyStatusCode({ http, body }: GraphQLResponse): void {
  if (http.status === 400 && hasDocumentErrorsOnly(body)) http.status = 200;
}

function hasDocumentErrorsOnly(body: GraphQLResponse['body']): boolean {
  if (body.kind !== 'single') return false;
  return body.singleResult.errors?.every(({ extensions }) => documentErrors.has(extensions?.code)) === true;
}
