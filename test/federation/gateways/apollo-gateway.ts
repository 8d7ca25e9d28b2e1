import { randomUUID } from 'node:crypto';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import type { GraphQLFormattedError } from 'graphql';
import { routerSecret } from '../supergraph';
import type { Gateway, GatewayOptions } from './gateway';

/** Headers of the client that padron uses. */
const forwarded = ['authorization', 'x-sandbox', 'x-max-units', 'x-answer-within', 'x-operation-id', 'x-dry-run'];

type Context = Readonly<Record<string, string>>;

/**
 * Replaces the gateway's messages, which quote a whole input with its password or name internal hosts. Errors of a subgraph, which
 * name their service, are unchanged.
 */
function withoutSecrets(error: GraphQLFormattedError): GraphQLFormattedError {
  const { message, extensions, ...place } = error;
  if (extensions?.serviceName !== undefined) return error;
  const [quoted, value] = message.split(' got invalid value ');
  if (value !== undefined)
    return { ...place, message: `${quoted} does not fit its type.`, extensions: { code: 'BAD_USER_INPUT' } };
  if (extensions?.code !== 'INTERNAL_SERVER_ERROR') return error;
  return { ...place, message: 'A part of the graph does not answer.', extensions: { code: 'SUBGRAPH_UNAVAILABLE' } };
}

/** Makes a `fetch` that repeats what failed or took too long, as platform teams set up for subgraphs whose reads are free. */
function retryingFetch(attemptMs: number): typeof fetch {
  return async (url, options = {}) => {
    for (let attempt = 0; ; attempt += 1) {
      const response = await fetch(url, { ...options, signal: AbortSignal.timeout(attemptMs) }).catch(() => null);
      if (response !== null && response.status < 500) return response;
      if (attempt === 6) return response ?? Response.error();
    }
  };
}

/** Apollo's gateway for Node, as a platform team would run it. */
export async function startApolloGateway(
  supergraph: string,
  { operationIds = true, attemptMs }: GatewayOptions = {},
): Promise<Gateway> {
  // By default it reports metrics to its vendor.
  process.env.APOLLO_TELEMETRY_DISABLED = 'true';
  const gateway = new ApolloGateway({
    supergraphSdl: supergraph,
    buildService: ({ name, url }) =>
      new RemoteGraphQLDataSource<Context>({
        ...(url === undefined ? {} : { url }),
        ...(attemptMs === undefined ? {} : { fetcher: retryingFetch(attemptMs) as never }),
        willSendRequest({ request, context }) {
          // Only padron gets the token, because it spends money.
          if (name !== 'padron') return;
          const headers = { ...context, 'x-subgraph-secret': routerSecret };
          for (const [header, value] of Object.entries(headers)) request.http?.headers.set(header, value);
        },
      }),
  });
  const server = new ApolloServer<Context>({
    gateway,
    formatError: withoutSecrets,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
  });
  const { url } = await startStandaloneServer(server, {
    listen: { host: '127.0.0.1', port: 0 },
    context: async ({ req }) => {
      const headers = forwarded.map((name) => [name, req.headers[name]]);
      return {
        // All requests of an operation have the same ID: the client's, or a new one.
        ...(operationIds ? { 'x-operation-id': randomUUID() } : {}),
        ...Object.fromEntries(headers.filter(([, value]) => typeof value === 'string')),
      };
    },
  });
  return { url, stop: () => server.stop() };
}
