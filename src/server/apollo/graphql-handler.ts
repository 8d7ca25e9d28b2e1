import {
  ApolloServer,
  type ApolloServerPlugin,
  HeaderMap,
  type HTTPGraphQLRequest,
  type HTTPGraphQLResponse,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config/settings';
import { explainRejection, limitOverlaps } from '../../graph/core/operations/document-guards';
import type { UnitEstimate } from '../../graph/core/pricing/types';
import type { UnitMeter } from '../../money/calls/units/unit-meter';
import type { ErrorFormatter } from '../errors/error-formatter';
import { acceptsPage, isLegacyClient, isPreflighted, negotiateContentType } from '../http/content-negotiation';
import { countError, HttpError, sendError } from '../http/http-error';
import type { RequestContext, RequestContexts } from '../request-context';
import { inOperationSpan } from '../telemetry/operation-span';
import { GraphqlRequest } from './graphql-request';
import type { OperationGate } from './operation-gate';

export interface ChosenOperation {
  readonly query: string;
  readonly operationName: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface GraphqlResult {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly GraphqlResultError[];
  readonly extensions?: {
    readonly units?: Pick<UnitMeter, 'spent' | 'uncertain' | 'saved'> & Partial<Pick<UnitMeter, 'settled'>>;
    readonly estimate?: UnitEstimate;
  };
}

export interface GraphqlResultError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly estimate?: UnitEstimate };
}

/**
 * Headers that Apollo Server reads, besides `accept`: the content type, and headers that a form or an image of another
 * site cannot send.
 */
const forwardedHeaders = ['content-type', 'x-apollo-operation-name', 'apollo-require-preflight', 'idempotency-key'];

export interface GraphqlParts {
  readonly config: Config;
  readonly schema: GraphQLSchema;
  readonly errors: Pick<ErrorFormatter, 'format'>;
  readonly pipeline: ApolloServerPlugin<RequestContext>;
  readonly gate: OperationGate;
  readonly contexts: RequestContexts;
}

/**
 * Passes Fastify's requests to Apollo Server, and sends its responses. Apollo's own integration package is not used because it responds
 * with 500 to a malformed Host header.
 */
export class GraphqlHandler {
  private readonly apollo: ApolloServer<RequestContext>;
  private readonly acceptedTexts = createCache((_accepted: true, text) => 2 * text.length, maxTextBytes);

  constructor(private readonly parts: GraphqlParts) {
    this.apollo = createApolloServer(parts);
  }

  start(): Promise<void> {
    return this.apollo.start();
  }

  stop(): Promise<void> {
    return this.apollo.stop();
  }

  handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return inOperationSpan(request, reply, () => this.respond(request, reply));
  }

  private async respond(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const contentType = negotiateContentType(request.headers.accept);
    if (contentType === null) throw new HttpError(406, isPage(request) ? noExplorer : notAcceptable);
    if (isForeignGet(request)) throw new HttpError(415, unexpectedType);
    const admitted = this.admit(request);
    if (admitted instanceof HttpError) {
      // A client that only knows application/json may ignore the body of any other status.
      const status = isLegacyClient(request.headers.accept) ? 200 : admitted.statusCode;
      return void sendError(reply, status, admitted.message, admitted.code, { mediaType: contentType });
    }
    const { text, body, search } = admitted;
    this.checkShape(text);
    const headers = pickHeaders(request, contentType);
    await send(await this.execute(request, { method: request.method, headers, search, body }, contentType), reply);
  }

  /** Runs an operation that padron has chosen for a request, not the caller: that of a tool. */
  async runTool(request: FastifyRequest, body: ChosenOperation): Promise<GraphqlResult> {
    const mediaType = 'application/json';
    const headers = new HeaderMap([
      ['accept', mediaType],
      ['content-type', mediaType],
    ]);
    const response = await this.execute(request, { method: 'POST', headers, search: '', body }, mediaType, true);
    return JSON.parse(await textOf(response));
  }

  /** Runs an operation of a row, in the context of the row. */
  async runRow(
    { operationName, ...operation }: Omit<ChosenOperation, 'operationName'> & { readonly operationName: string | null },
    contextValue: RequestContext,
  ): Promise<GraphqlResult> {
    const named = operationName === null ? operation : { ...operation, operationName };
    const { body } = await this.apollo.executeOperation(named, { contextValue });
    // No operation of this graph is streamed.
    return body.kind === 'single' ? (body.singleResult as GraphqlResult) : {};
  }

  private async execute(
    request: FastifyRequest,
    httpGraphQLRequest: HTTPGraphQLRequest,
    mediaType: string,
    isTool = false,
  ): Promise<HTTPGraphQLResponse> {
    const context = () => this.parts.contexts.of(request, `${mediaType}; charset=utf-8`, isTool);
    const response = await this.apollo.executeHTTPGraphQLRequest({ httpGraphQLRequest, context });
    // The request pipeline counts the errors of an operation. Any other error came before it: a malformed header or body.
    if (request.errorCodes === null && (response.status ?? 200) >= 400) {
      const { errors = [] }: GraphqlResult = JSON.parse(await textOf(response));
      for (const { extensions } of errors) countError(request, String(extensions?.code));
    }
    return response;
  }

  private admit(request: FastifyRequest): GraphqlRequest | HttpError {
    const permissions = request.account?.permissions ?? null;
    return this.parts.gate.admit(GraphqlRequest.of(request), { permissions, requestId: request.id });
  }

  /** Rejects a text that graphql-js could not parse safely. An accepted text is not scanned again. */
  private checkShape(text: string): void {
    if (this.acceptedTexts.has(text)) return;
    const reason = explainRejection(text, this.parts.config.limits.tokens);
    if (reason !== null) throw new HttpError(400, reason.english, 'GRAPHQL_PARSE_FAILED');
    this.acceptedTexts.set(text, true);
  }
}

const notAcceptable = 'The response is JSON. Accept application/json or application/graphql-response+json.';
const noExplorer = `The explorer is off on this server, and only EXPLORER=on turns it on. ${notAcceptable}`;

const unexpectedType = 'A GET request has no body. Leave out its content type, or send application/json.';

/** Whether a browser opens the graph as a page. If the explorer is on, it has answered before. */
const isPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && acceptsPage(headers.accept) && !isPreflighted(headers) && !('content-type' in headers);

/** Whether a GET request has a content type that Apollo Server rejects. Its error would have the code BAD_REQUEST. */
const isForeignGet = ({ method, headers: { 'content-type': type = 'application/json' } }: FastifyRequest): boolean =>
  method === 'GET' && !/^\s*application\/json\s*(;|$)/i.test(type);

function pickHeaders({ headers }: FastifyRequest, contentType: string): HeaderMap {
  const forwarded = new HeaderMap([['accept', contentType]]);
  for (const name of forwardedHeaders) {
    const value = headers[name];
    if (value !== undefined) forwarded.set(name, String(value));
  }
  return forwarded;
}

async function send(response: HTTPGraphQLResponse, reply: FastifyReply): Promise<void> {
  reply.code(response.status ?? 200).header('cache-control', 'no-store');
  for (const [name, value] of response.headers) if (name !== 'cache-control') reply.header(name, value);
  reply.send(await textOf(response));
}

async function textOf({ body }: HTTPGraphQLResponse): Promise<string> {
  if (body.kind === 'complete') return body.string;
  // No operation of this graph is streamed. If a library streams anyway, the parts are sent as one response.
  let text = '';
  for await (const part of body.asyncIterator) text += part;
  return text;
}

/** A client may write personal data into a document instead of a variable, so no document is kept for longer. */
const keptMs = 600_000;
const maxBytes = 64_000_000;
/** Maximum bytes of the texts that are known to be safe to parse. */
const maxTextBytes = 4_000_000;
/** Bytes of a parsed document for each character of its text. Dense texts need up to twice as much. */
const bytesPerCharacter = 100;

function createCache<Value extends object | string | true>(
  bytesOf: (value: Value, key: string) => number,
  maxSize = maxBytes,
): LRUCache<string, Value> {
  const sizeCalculation = (value: Value, key: string): number => bytesOf(value, key) + 1;
  return new LRUCache({ maxSize, sizeCalculation, ttl: keptMs, ttlAutopurge: true });
}

function boundedCache<Value extends object | string>(bytesOf: (value: Value) => number) {
  const cache = createCache(bytesOf);
  return {
    get: async (key: string) => cache.get(key),
    set: async (key: string, value: Value) => void cache.set(key, value),
    delete: async (key: string) => cache.delete(key),
  };
}

function createApolloServer({ config, schema, errors, pipeline }: GraphqlParts): ApolloServer<RequestContext> {
  return new ApolloServer<RequestContext>({
    schema,
    // If INTROSPECTION is off, the request pipeline admits authenticated callers only.
    introspection: config.callersReadSchema,
    hideSchemaDetailsFromClientErrors: !config.introspection,
    csrfPrevention: true,
    documentStore: boundedCache(
      (document: DocumentNode) => bytesPerCharacter * (document.loc?.source.body.length ?? 0),
    ),
    // With trusted documents, clients cannot register texts.
    persistedQueries:
      config.trustedDocuments === null ? { cache: boundedCache((text: string) => 2 * text.length) } : false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: config.limits.tokens },
    validationRules: [limitOverlaps],
    formatError: errors.format,
    // Apollo's log lines contain error messages, which may quote the client. `formatError` reports failures instead.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    plugins: [
      pipeline,
      // Apollo Server enables these by default. They take time on every field, or send data to Apollo.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginLandingPageDisabled(),
    ],
  });
}
