import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import type { Language } from '../../identifiers/text';

const json = 'application/json';
const graphqlResponse = 'application/graphql-response+json';

/**
 * Returns the media type of the response, or null if the client accepts none that padron can send. padron decides this before it sends
 * calls. Apollo Server decides it afterwards, when a rejected response would already be paid.
 */
export function negotiateContentType(accept: string | undefined): string | null {
  if (accept === undefined || accept.trim() === '') return json;
  return (
    mediaTypes(accept)
      .map((type) => responseTypes.get(type))
      .find((type) => type !== undefined) ?? null
  );
}

/**
 * Whether a client accepts application/json but not GraphQL's own media type. According to GraphQL over HTTP such a client treats any
 * status except 200 as a failure of HTTP, and may ignore the errors in the body.
 */
export function isLegacyClient(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  // The quality is removed, so that a type with q=0 counts too: the client knows it.
  const types = mediaTypes(accept.replace(/;\s*q=[^,;]*/gi, ''));
  return types.includes(json) && !types.includes(graphqlResponse);
}

/** Whether a browser opens a page. Browsers name HTML, and programs at most accept everything. */
export function acceptsPage(accept = ''): boolean {
  return /(^|,)\s*text\/html\b/.test(accept);
}

/** Whether a request has a header that a page of another site cannot send without a preflight, and that a link cannot send at all. */
export const isPreflighted = (headers: IncomingHttpHeaders): boolean =>
  ['apollo-require-preflight', 'x-apollo-operation-name'].some((name) => Boolean(headers[name]));

/** Returns the language that a client prefers among those of the problems' messages. The default is English. */
export function negotiateLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'en';
  const [preferred] = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages(['en', 'es']);
  return preferred === 'es' ? 'es' : 'en';
}

/** Media types of responses by accepted type. A Map, because a client may send the name of a property that every object has. */
const responseTypes: ReadonlyMap<string, string> = new Map([
  [graphqlResponse, graphqlResponse],
  [json, json],
  ['application/*', json],
  ['*/*', json],
]);

/** Returns the accepted media types, best first, without their parameters. negotiator itself would compare the parameters too. */
function mediaTypes(accept: string): readonly string[] {
  return new Negotiator({ headers: { accept } }).mediaTypes().map((type) => type.toLowerCase());
}
