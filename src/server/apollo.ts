import { ApolloServer, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext, Services } from './context';
import { refuseCrowdedVariables } from './crowded-variables';
import { documentStore, persistedStore } from './document-store';
import type { ErrorReports } from './errors';
import { HttpFault } from './faults';
import { limitOperations } from './limits';
import { nestsTooDeep } from './nesting';
import { answerOldClients } from './old-clients';
import { refusePaidOverGet } from './paid-over-get';
import { stringifyResult } from './stringify';
import { tellUnits } from './units';

/** Apollo Server with all that padron adds to it. */
export function makeApollo({ config, graph, metrics }: Services, errors: ErrorReports): ApolloServer<RequestContext> {
  return new ApolloServer<RequestContext>({
    schema: graph.schema,
    introspection: config.introspection,
    hideSchemaDetailsFromClientErrors: !config.introspection,
    csrfPrevention: true,
    documentStore: documentStore(),
    persistedQueries: { cache: persistedStore() },
    stringifyResult,
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

/** Answers one HTTP request. Own code, because the integration package answers 500 to a malformed Host. */
export async function answerThroughApollo(
  apollo: ApolloServer<RequestContext>,
  request: FastifyRequest,
  reply: FastifyReply,
  accepted: string,
  context: () => RequestContext,
): Promise<void> {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  headers.set('accept', accepted);
  if (nestsTooDeep(documentOf(request)))
    throw new HttpFault(400, 'The document is nested too deeply to be read.', 'GRAPHQL_PARSE_FAILED');
  const response = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: request.method,
      headers,
      search: request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '',
      body: request.body,
    },
    context: async () => context(),
  });
  await send(response, reply);
}

/** The document as it came, if it came as text: anything else is told by Apollo. */
function documentOf({ method, query, body }: FastifyRequest): string {
  const holder = (method === 'GET' ? query : body) as { readonly query?: unknown } | null | undefined;
  return typeof holder?.query === 'string' ? holder.query : '';
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
