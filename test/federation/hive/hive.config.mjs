import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GraphQLError } from 'graphql';

/**
 * Hive Gateway in front of a paid subgraph. Other settings keep their defaults on purpose: `upstreamRetry` is off, because a repeated
 * request may be paid again, and no metrics are reported.
 */
const maxUnits = process.env.MAX_UNITS;
const { ATTEMPT_MS: attemptMs, TIMEOUT_MS: timeoutMs } = process.env;
const documentsFile = process.env.PERSISTED_DOCUMENTS;
const documents = documentsFile && JSON.parse(readFileSync(documentsFile, 'utf8'));
const forwarded = JSON.parse(readFileSync(new URL('../forwarded-headers.json', import.meta.url), 'utf8'));
// They make an operation last, whose ID must be the client's.
const forwardedWithId = ['x-operation-keep', 'x-operation-retry'];
// padron needs the first header for uploads, and the second for every request.
const subgraphHeaders = { 'apollo-require-preflight': 'true', 'x-subgraph-secret': process.env.SUBGRAPH_SECRET };

/** Returns the same ID for all requests of an operation: the client's, or a new one. Each operation has its own context. */
const operationIds = new WeakMap();
function operationId(request, context) {
  if (process.env.OPERATION_IDS === 'off') return undefined;
  const id = request.headers.get('x-operation-id') ?? operationIds.get(context) ?? randomUUID();
  operationIds.set(context, id);
  return id;
}

/** Removes the input from an error, because graphql-js quotes it with its password. */
function withoutInput(error) {
  const [quoted, value] = error.message.split(' got invalid value ');
  if (value === undefined) return error;
  return new GraphQLError(`${quoted} does not fit its type.`, { extensions: { code: 'BAD_USER_INPUT' } });
}

export const gatewayConfig = {
  // Uploads.
  multipart: true,
  propagateHeaders: {
    fromClientToSubgraphs({ request, context, subgraphName }) {
      // Only padron gets the token, because it spends money.
      if (subgraphName !== 'padron') return {};
      const names = request.headers.has('x-operation-id') ? [...forwarded, ...forwardedWithId] : forwarded;
      const headers = names.map((name) => [name, request.headers.get(name)]);
      return {
        ...Object.fromEntries(headers),
        'x-operation-id': operationId(request, context),
        ...subgraphHeaders,
      };
    },
    fromSubgraphsToClient: ({ response }) => ({ 'x-operation-until': response.headers.get('x-operation-until') }),
    deduplicateHeaders: true,
  },
  plugins: () => [
    {
      // Hive does not mask this error, and its command line overrides `maskError`.
      onExecutionResult({ result, setResult }) {
        if (result?.errors) setResult({ ...result, errors: result.errors.map(withoutInput) });
      },
    },
  ],
  // Costs in units only, because by default a mutation costs 10, and every object without a price 1. padron's schema has the sizes of lists.
  ...(maxUnits && { demandControl: { maxCost: Number(maxUnits), operationTypeCost: () => 0, typeCost: () => 0 } }),
  ...(documents && {
    persistedDocuments: { getPersistedOperation: (id) => documents[id] ?? null, allowArbitraryDocuments: false },
  }),
  ...(timeoutMs && { upstreamTimeout: Number(timeoutMs) }),
  // Some platforms repeat requests nevertheless.
  ...(attemptMs && { upstreamTimeout: Number(attemptMs), upstreamRetry: { maxRetries: 6, retryDelay: 5 } }),
  // The platform knows the permissions of a user. A header replaces its JWT here.
  genericAuth: {
    mode: 'protect-granular',
    resolveUserFn: ({ request }) => ({ scope: request.headers.get('x-test-scopes') ?? '' }),
    rejectUnauthenticated: false,
  },
  graphiql: false,
  landingPage: false,
};
