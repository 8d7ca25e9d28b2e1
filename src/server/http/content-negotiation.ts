import Negotiator from 'negotiator';
import type { Language } from '../../registry/answer/problem';

const json = 'application/json';
const graphqlResponse = 'application/graphql-response+json';

/**
 * The form of the answer that a client takes; null when it takes none that we have. Decided before anything runs: Apollo
 * decides it after, and rejects an answer that has been paid for.
 */
export function negotiateContentType(accept: string | undefined): string | null {
  if (accept === undefined || accept.trim() === '') return json;
  return (
    mediaTypes(accept)
      .map((type) => forms.get(type))
      .find((form) => form !== undefined) ?? null
  );
}

/**
 * Whether a client names application/json and not GraphQL's own media type. By GraphQL over HTTP it takes any status but 200
 * for a failure of HTTP itself, and may not look for the errors of its document behind it.
 */
export function isLegacyClient(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  // A type named with q=0 is named too: its client knows it.
  const named = mediaTypes(accept.replace(/;\s*q=[^,;]*/gi, ''));
  return named.includes(json) && !named.includes(graphqlResponse);
}

/** The language that a client prefers of those that problems are worded in; English unless it says otherwise. */
export function negotiateLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'en';
  const [preferred] = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).languages(['en', 'es']);
  return preferred === 'es' ? 'es' : 'en';
}

/** No plain object: what a client accepts may have the name of something that every object has. */
const forms: ReadonlyMap<string, string> = new Map([
  [graphqlResponse, graphqlResponse],
  [json, json],
  ['application/*', json],
  ['*/*', json],
]);

/** The best first. negotiator is not given what we have: it would want the parameters to agree too. */
function mediaTypes(accept: string): readonly string[] {
  return new Negotiator({ headers: { accept } }).mediaTypes().map((type) => type.toLowerCase());
}
