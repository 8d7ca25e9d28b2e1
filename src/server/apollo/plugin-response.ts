import { type GraphQLResponse, HeaderMap } from '@apollo/server';

type SingleResult = Extract<GraphQLResponse['body'], { kind: 'single' }>['singleResult'];

/** Wraps a result that a plugin returns instead of running the operation. */
export function toPluginResponse(singleResult: SingleResult, status = 200): GraphQLResponse {
  return { http: { headers: new HeaderMap(), status }, body: { kind: 'single', singleResult } };
}
