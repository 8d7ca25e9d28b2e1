/** Settings of Hive Gateway. `upstreamRetry` stays off, because a repeated request may be charged again. */
import { randomUUID } from 'node:crypto';
import { defineConfig } from '@graphql-hive/gateway';
import { GraphQLError } from 'graphql';
import { headersForPadron, withoutInput } from './for-padron.js';
import { ports } from './ports.js';

// Each operation has its own context.
const operationIds = new WeakMap();
function idOf(operation) {
  const id = operationIds.get(operation) ?? randomUUID();
  operationIds.set(operation, id);
  return id;
}

function masked(error) {
  const message = withoutInput(error.message);
  return message === null ? error : new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}

export const gatewayConfig = defineConfig({
  host: '127.0.0.1',
  port: ports.gateway,
  // Uploads.
  multipart: true,
  propagateHeaders: {
    // If several fields of Query run at once, the name may be missing (graphql-hive/gateway#1311): then padron gets no token, and no call is paid.
    fromClientToSubgraphs: ({ request, context, subgraphName }) =>
      subgraphName === 'padron' ? headersForPadron((name) => request.headers.get(name), idOf(context)) : {},
    // A client that makes an operation last stops if this header is missing.
    fromSubgraphsToClient: ({ response }) => ({ 'x-operation-until': response.headers.get('x-operation-until') }),
    deduplicateHeaders: true,
  },
  // The price of an operation by the `@cost` of padron's fields. It counts a list of entities once: padron's own limit is `x-max-units`.
  demandControl: { maxCost: Number(process.env.MAX_COST ?? 10), operationTypeCost: () => 0, typeCost: () => 0 },
  plugins: () => [
    {
      // Hive does not mask these errors.
      onExecutionResult({ result, setResult }) {
        if (result?.errors) setResult({ ...result, errors: result.errors.map(masked) });
      },
    },
  ],
});
