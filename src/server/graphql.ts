import { ApolloServer, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config';
import type { Graph } from '../graph/schema';
import type { RegistryClient } from '../registry/client';
import type { LinkReader } from '../registry/link';
import { Registry } from '../registry/registry';
import type { Replay } from '../registry/replay';
import { Units } from '../registry/units';
import { answerType, readsJsonBehind200Only } from './accept';
import type { Account } from './authentication';
import type { RequestContext } from './context';
import { refuseCrowdedVariables } from './crowded-variables';
import { documentStore, persistedStore } from './document-store';
import { ErrorReports } from './errors';
import { HttpFault } from './faults';
import { limitOperations } from './limits';
import type { Log } from './log';
import type { Metrics } from './metrics';
import { nestsTooDeep } from './nesting';
import { answerOldClients } from './old-clients';
import { refusePaidOverGet } from './paid-over-get';
import { budgetOf, isDryRun, isSandbox } from './request-headers';
import type { Told } from './request-log';
import { tellUnits } from './units';

/** What one process has once and every request shares. */
export interface Services {
  readonly config: Config;
  readonly graph: Graph;
  readonly client: RegistryClient;
  readonly replay: Replay;
  readonly links: LinkReader;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly now: () => Date;
}

const mostFileBytes = 16_000_000;

export function makeApollo({ config, graph, metrics, log }: Services): ApolloServer<RequestContext> {
  const errors = new ErrorReports(graph.schema, log, !config.introspection, (code) => metrics.failed(code));
  return new ApolloServer<RequestContext>({
    schema: graph.schema,
    introspection: config.introspection,
    hideSchemaDetailsFromClientErrors: !config.introspection,
    csrfPrevention: true,
    documentStore: documentStore(),
    persistedQueries: { cache: persistedStore() },
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: config.limits.tokens },
    formatError: errors.format,
    // Its lines quote error messages, which may quote the client. What fails comes to `formatError` too.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    plugins: [
      errors.plugin(),
      limitOperations(config.limits),
      refuseCrowdedVariables(),
      refusePaidOverGet(graph.catalogue),
      tellUnits((code) => metrics.failed(code)),
      answerOldClients(),
      // Each is on by default and costs time on every field or speaks to the outside.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginLandingPageDisabled(),
    ],
  });
}

/** Answers one HTTP request by GraphQL. Own code, because the integration package answers 500 to a malformed Host. */
export async function answerGraphql(
  apollo: ApolloServer<RequestContext>,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const accepted = answerType(headers.get('accept'));
  if (accepted === null)
    throw new HttpFault(406, 'The answer is JSON: accept application/json or graphql-response+json.');
  headers.set('accept', accepted);
  if (nestsTooDeep(documentOf(request)))
    throw new HttpFault(400, 'The document is nested too deeply to be read.', 'GRAPHQL_PARSE_FAILED');
  const gone = whenGone(reply);
  const response = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: request.method,
      headers,
      search: request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '',
      body: request.body,
    },
    context: async () => contextOf(services, request, gone),
  });
  await send(response, reply);
}

/** The document as it came, if it came as text: anything else is told by Apollo. */
function documentOf({ method, query, body }: FastifyRequest): string {
  const holder = (method === 'GET' ? query : body) as { readonly query?: unknown } | null | undefined;
  return typeof holder?.query === 'string' ? holder.query : '';
}

const nobody: Account = { bearer: null, account: '', heldHere: false, permissions: null };

function contextOf(
  { config, client, replay, links, graph, metrics, now }: Services,
  request: FastifyRequest,
  gone: AbortSignal,
): RequestContext {
  const units = new Units(budgetOf(request.headers, config), metrics);
  const told: Told = { operation: null, units };
  request.told = told;
  const caller = { ...(request.account ?? nobody), sandbox: isSandbox(request.headers, config) };
  return {
    registry: new Registry(client, replay, { caller, request, gone }, units),
    links,
    catalogue: graph.catalogue,
    checkDigits: config.checkDigits,
    now,
    tellsBalance: config.balancePath !== null,
    units,
    only200: readsJsonBehind200Only(request.headers.accept),
    dryRun: isDryRun(request.headers),
    fileAllowance: { bytes: mostFileBytes },
    requestId: request.id,
    told,
  };
}

/** Aborts once nobody waits for the answer any more. */
function whenGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.closed || reply.request.raw.socket.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

async function send(response: HTTPGraphQLResponse, reply: FastifyReply): Promise<void> {
  reply.code(response.status ?? 200).header('cache-control', 'no-store');
  for (const [name, value] of response.headers) if (name !== 'cache-control') reply.header(name, value);
  if (response.body.kind === 'complete') return void reply.send(response.body.string);
  // No operation of this graph streams; if a library ever did, its parts are sent as one.
  let text = '';
  for await (const part of response.body.asyncIterator) text += part;
  reply.send(text);
}
