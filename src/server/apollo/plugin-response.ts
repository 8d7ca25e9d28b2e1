import { type GraphQLResponse, HeaderMap } from '@apollo/server';

type SingleResult = Extract<GraphQLResponse['body'], { kind: 'single' }>['singleResult'];

/** An answer that a plugin gives in the place of graphql-js. */
export function toPluginResponse(singleResult: SingleResult, status = 200): GraphQLResponse {
  return { http: { headers: new HeaderMap(), status }, body: { kind: 'single', singleResult } };
}
