import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GraphQLError } from 'graphql';

/**
 * Hive Gateway in front of a paid subgraph. What is not here is left at its default on purpose: `upstreamRetry` is off (a
 * request that is sent again is paid again), and nothing is reported to the outside.
 */
const maxUnits = process.env.MAX_UNITS;
const documentsFile = process.env.PERSISTED_DOCUMENTS;
const documents = documentsFile && JSON.parse(readFileSync(documentsFile, 'utf8'));
const forwarded = ['authorization', 'x-sandbox', 'x-max-units', 'x-answer-within', 'x-dry-run'];
// Without the first padron reads no upload, without the second nothing.
const subgraphHeaders = { 'apollo-require-preflight': 'true', 'x-subgraph-secret': process.env.SUBGRAPH_SECRET };

/** One id for the requests that one operation becomes: the client's, or one that is made here. Operations have a context each. */
const operationIds = new WeakMap();
function operationId(request, context) {
  if (process.env.OPERATION_IDS === 'off') return undefined;
  const id = request.headers.get('x-operation-id') ?? operationIds.get(context) ?? randomUUID();
  operationIds.set(context, id);
  return id;
}

/** graphql-js quotes the whole input around a fault in it, a password too. */
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
      // A token that spends money goes to padron alone.
      if (subgraphName !== 'padron') return {};
      const headers = forwarded.map((name) => [name, request.headers.get(name)]);
      return {
        ...Object.fromEntries(headers),
        'x-operation-id': operationId(request, context),
        ...subgraphHeaders,
      };
    },
  },
  plugins: () => [
    {
      // Hive's own masking lets this pass, and its command line overrides a `maskError` given here.
      onExecutionResult({ result, setResult }) {
        if (result?.errors) setResult({ ...result, errors: result.errors.map(withoutInput) });
      },
    },
  ],
  // Costs in units only: by default a mutation adds 10, and every object of a schema without prices 1. No `listSize`: it would
  // multiply the price of `receiptsBetween`, which counts its months already.
  ...(maxUnits && { demandControl: { maxCost: Number(maxUnits), operationTypeCost: () => 0, typeCost: () => 0 } }),
  ...(documents && {
    persistedDocuments: { getPersistedOperation: (id) => documents[id] ?? null, allowArbitraryDocuments: false },
  }),
  // Who holds which permission is the platform's to know; this stands in for its JWT.
  genericAuth: {
    mode: 'protect-granular',
    resolveUserFn: ({ request }) => ({ scope: request.headers.get('x-test-scopes') ?? '' }),
    rejectUnauthenticated: false,
  },
  graphiql: false,
  landingPage: false,
};
