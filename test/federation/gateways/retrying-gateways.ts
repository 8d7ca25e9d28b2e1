import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { temporaryFile } from '../../support/keys/signatures';
import { freePort } from '../../support/processes/free-port';
import { routerSecret } from '../supergraph';
import type { Gateway, GatewayKind } from './gateway';
import { hiveInstalled } from './hive';

const retries = 6;
/** Timeout of an attempt. A busy machine answers other requests much sooner. */
const tryMs = 1_500;
/** Latency of the slow card of the sandbox: longer than an attempt, shorter than all attempts together. */
export const slowMs = 4_000;

/** Repeats what failed or took too long, as platform teams set up for subgraphs whose reads are free. */
async function fetchAgain(url: string, options: RequestInit = {}): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(tryMs) }).catch(() => null);
    if (response !== null && response.status < 500) return response;
    if (attempt === retries) return response ?? Response.error();
  }
}

type Context = { readonly authorization: string };

async function startRetryingApollo(supergraph: string): Promise<Gateway> {
  process.env.APOLLO_TELEMETRY_DISABLED = 'true';
  const gateway = new ApolloGateway({
    supergraphSdl: supergraph,
    buildService: ({ url = '' }) =>
      new RemoteGraphQLDataSource<Context>({
        url,
        fetcher: fetchAgain as never,
        willSendRequest({ request, context }) {
          request.http?.headers.set('authorization', context.authorization ?? '');
          request.http?.headers.set('x-subgraph-secret', routerSecret);
        },
      }),
  });
  const server = new ApolloServer<Context>({ gateway, stopOnTerminationSignals: false });
  const { url } = await startStandaloneServer(server, {
    listen: { host: '127.0.0.1', port: 0 },
    context: async ({ req }) => ({ authorization: req.headers.authorization ?? '' }),
  });
  return { url, stop: () => server.stop() };
}

/** The settings of the other tests, with repeats switched on. */
const hiveConfig = `import { gatewayConfig as usual } from ${JSON.stringify(pathToFileURL(join(__dirname, 'hive.config.mjs')).href)};
export const gatewayConfig = { ...usual, upstreamTimeout: ${tryMs}, upstreamRetry: { maxRetries: ${retries}, retryDelay: 5 } };
`;

async function startRetryingHive(supergraph: string): Promise<Gateway> {
  const port = await freePort();
  const files = [temporaryFile('supergraph.graphql', supergraph), temporaryFile('hive.config.mjs', hiveConfig)];
  const [schema = '', config = ''] = files;
  const options = ['supergraph', schema, '--config-path', config, '--host', '127.0.0.1', '--port', String(port)];
  const child = spawn(join(__dirname, '../node_modules/.bin/hive-gateway'), options, {
    cwd: __dirname,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', SUBGRAPH_SECRET: routerSecret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      said += chunk.toString();
      if (said.includes('Listening on')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`Hive Gateway ended: ${said}`)));
  });
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(late);
  };
  return { url: `http://127.0.0.1:${port}/graphql`, stop };
}

/** Gateways that repeat requests. */
export const retryingGateways: readonly Omit<GatewayKind, 'requestsForTwoEntities'>[] = [
  { name: '@apollo/gateway', installed: true, start: startRetryingApollo },
  { name: '@graphql-hive/gateway', installed: hiveInstalled, start: startRetryingHive },
];
