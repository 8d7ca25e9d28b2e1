const json = 'application/json';
const graphqlResponse = 'application/graphql-response+json';

/**
 * The form of the answer that a client takes; null when it takes none that we have. Decided before anything runs: Apollo
 * decides it after, and refuses an answer that has been paid for.
 */
export function answerType(accept: string | undefined): string | null {
  if (accept === undefined || accept.trim() === '') return json;
  const wanted = accept
    .split(',')
    .map(rangeOf)
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return wanted.map(({ type }) => forms[type]).find((form) => form !== undefined) ?? null;
}

/**
 * Whether a client names application/json and not GraphQL's own media type. By GraphQL over HTTP it takes any status but 200
 * for a failure of HTTP itself, and may not look for the errors of its document behind it.
 */
export function readsJsonBehind200Only(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const types = accept.split(',').map((text) => rangeOf(text).type);
  return types.includes(json) && !types.includes(graphqlResponse);
}

const forms: Readonly<Record<string, string>> = {
  [graphqlResponse]: graphqlResponse,
  [json]: json,
  'application/*': json,
  '*/*': json,
};

function rangeOf(text: string): { readonly type: string; readonly quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
}
