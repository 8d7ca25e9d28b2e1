import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import type { GraphQLFormattedError } from 'graphql';
import { routerSecret } from '../supergraph';
import type { Gateway, GatewayOptions } from './gateway';

/** Headers of the client that padron uses. */
const forwarded: readonly string[] = JSON.parse(readFileSync(join(__dirname, '../forwarded-headers.json'), 'utf8'));
/** Headers that make an operation last, whose ID must be the client's. */
const forwardedWithId = ['x-operation-id', 'x-operation-keep', 'x-operation-retry'];

interface Context {
  readonly headers: Readonly<Record<string, string>>;
  /** Time until which the operation lasts. Undefined if it does not. */
  until?: string;
}

/** Passes the time on until which the operation lasts. */
const passUntilOn: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ response, contextValue: { until } }) => {
      if (until !== undefined) response.http.headers.set('x-operation-until', until);
    },
  }),
};

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
  const warnings: string[] = [];
  const warn = (message: unknown): void => void warnings.push(`WARN ${message}`);
  const gateway = new ApolloGateway({
    logger: { debug: () => undefined, info: () => undefined, warn, error: warn },
    supergraphSdl: supergraph,
    buildService: ({ name, url }) =>
      new RemoteGraphQLDataSource<Context>({
        ...(url === undefined ? {} : { url }),
        ...(attemptMs === undefined ? {} : { fetcher: retryingFetch(attemptMs) as never }),
        willSendRequest({ request, context }) {
          // Only padron gets the token, because it spends money.
          if (name !== 'padron') return;
          const headers: Readonly<Record<string, string>> = { ...context.headers, 'x-subgraph-secret': routerSecret };
          for (const [header, value] of Object.entries(headers)) request.http?.headers.set(header, value);
        },
        didReceiveResponse({ response, context }) {
          const until: string | null = response.http?.headers.get('x-operation-until') ?? null;
          if (until !== null) context.until = until;
          return response;
        },
      }),
  });
  const server = new ApolloServer<Context>({
    gateway,
    formatError: withoutSecrets,
    plugins: [passUntilOn],
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
  });
  const { url } = await startStandaloneServer(server, {
    listen: { host: '127.0.0.1', port: 0 },
    context: async ({ req }) => {
      const names = req.headers['x-operation-id'] === undefined ? forwarded : [...forwarded, ...forwardedWithId];
      const sent = names.map((name) => [name, req.headers[name]]);
      const headers = {
        // All requests of an operation have the same ID: the client's, or a new one.
        ...(operationIds ? { 'x-operation-id': randomUUID() } : {}),
        ...Object.fromEntries(sent.filter(([, value]) => typeof value === 'string')),
      };
      return { headers };
    },
  });
  return { url, log: () => warnings.join('\n'), stop: () => server.stop() };
}
