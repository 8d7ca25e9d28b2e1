import { randomBytes, randomUUID } from 'node:crypto';
import {
  type CallToolRequest,
  type CallToolResult,
  type ClientCapabilities,
  createMcpHandler,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { type Language, say } from '../../identifiers/text';
import { version } from '../../identifiers/version';
import type { Core } from '../../server/extension';
import { negotiateLanguage } from '../../server/http/content-negotiation';
import { foreignOrigin, isForeignOrigin } from '../../server/http/host-check';
import { HttpError, sendError } from '../../server/http/http-error';
import { anonymous, linkBase } from '../../server/request-context';
import type { StartedExtension } from '../../server/started-extension';
import { inOperationSpan } from '../../server/telemetry/operation-span';
import { KeyRing } from '../../store/key-ring';
import { type Price, refuse, type ToolCall, ToolCaller } from './call-tool';
import { instructions, sayConsent, sayErrors } from './tool-text';
import { listTools, priceTools, type QueryTools } from './tools';

/** Serves the tools at `/mcp` by the Model Context Protocol: version 2026-07-28, and 2025-11-25 and earlier. */
export async function createToolRoutes(core: Core, maxUnits: number | null): Promise<StartedExtension> {
  const pricedTools = priceTools(core);
  const tools = await pricedTools();
  const route = new McpRoute(core, new ToolCaller(core, pricedTools, maxUnits), pricedTools);
  const count = listTools(tools, { language: 'en', permissions: null, hasClient: true }).length;
  const limit = maxUnits === null ? 'without a limit of units (MCP_MAX_UNITS)' : `at most ${maxUnits} units a call`;
  return {
    greeting: (address) => `${count} tools for agents, ${limit}, at ${address}/mcp`,
    async routes(http, admission) {
      http.route({
        // GET and DELETE are for sessions. The protocol's own error says that there are none.
        method: ['GET', 'POST', 'DELETE'],
        url: '/mcp',
        exposeHeadRoute: false,
        config: { isJsonRpc: true },
        onRequest: admission.authenticate,
        handler: admission.limit((request, reply) =>
          inOperationSpan(request, reply, () => route.handle(request, reply)),
        ),
      });
      addResourceMetadata(http, core.config, tools);
      return null;
    },
  };
}

const metadataPath = '/.well-known/oauth-protected-resource';

/** Tells clients where to log in (RFC 9728), if the operator named the issuer of JWTs. */
function addResourceMetadata(http: FastifyInstance, { jwt, publicUrl }: Core['config'], tools: QueryTools): void {
  if (jwt?.issuer == null) return;
  const scopes = [...new Set([...tools.values()].flatMap((tool) => tool.scopes))].sort();
  for (const url of [metadataPath, `${metadataPath}/mcp`])
    http.get(url, (request, reply) => {
      const base = linkBase(publicUrl, request.headers);
      if (base === null) throw new HttpError(400, 'The host of the request is malformed. Set PUBLIC_URL of padron.');
      return reply.header('cache-control', 'no-store').send({
        resource: `${base}/mcp`,
        authorization_servers: [jwt.issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
      });
    });
}

const sessionHeader = 'mcp-session-id';
/** Name of the request for consent to a price, and of its only field. */
const consentField = 'spend';

type RouteParts = Pick<Core, 'config' | 'knownAccounts' | 'errors'>;

class McpRoute {
  /** Codecs that sign the price in a request for consent: one for each key of `DATA_KEYS`, newest first. */
  private readonly priceCodecs: readonly [RequestStateCodec<Price>, ...RequestStateCodec<Price>[]];

  constructor(
    private readonly core: RouteParts,
    private readonly caller: ToolCaller,
    private readonly tools: () => Promise<QueryTools>,
  ) {
    const { keys } = core.config.data;
    // Without DATA_KEYS, only the process that asked the person accepts the answer.
    const [newest = randomBytes(32), ...older] =
      keys.length === 0 ? [] : new KeyRing(keys).versions.map(({ consent }) => consent);
    this.priceCodecs = [
      createRequestStateCodec({ key: newest }),
      ...older.map((key) => createRequestStateCodec<Price>({ key })),
    ];
  }

  async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { method, body, headers } = request;
    // The protocol demands this of every server, because some clients have no token.
    if (isForeignOrigin(headers.origin, this.core.config.corsOrigins)) throw new HttpError(403, foreignOrigin);
    const refusal = await this.findRefusal(request);
    if (refusal !== null) return this.rejectToken(request, reply, refusal);
    // Clients before 2025-06-18 may send several messages at once, and each may be a call that costs units.
    if (Array.isArray(body))
      throw new HttpError(400, 'Batches of messages are not accepted. Send one message per request.');
    const calls: Promise<unknown>[] = [];
    const handler = createMcpHandler(() => this.createServer(request, calls), { maxSubscriptions: 0 });
    const { abortSignal: signal } = request;
    const message = new Request('http://padron/mcp', { method, headers: protocolHeaders(request), signal });
    const exchange = async () => {
      const response = await handler.fetch(message, method === 'POST' ? { parsedBody: body } : {});
      return { response, text: await response.text() };
    };
    // If the agent disconnects, the exchange ends before the paid calls. The log line and the span wait for them to report their units.
    const { response, text } = await exchange().finally(() => Promise.allSettled(calls));
    const type = response.headers.get('content-type');
    reply.code(response.status).header('cache-control', 'no-store');
    if (type !== null) reply.type(type);
    if (response.status === 405) reply.header('allow', 'POST');
    const session = createSessionId(body);
    if (session !== null) reply.header(sessionHeader, session);
    reply.send(text);
  }

  /** Returns why the token of a caller is not valid, or null. A JWT is checked even if the schema is public: clients log in after a 401. */
  private async findRefusal({ account }: FastifyRequest): Promise<string | null> {
    const { config, knownAccounts } = this.core;
    if (config.introspection && config.jwt === null) return null;
    return knownAccounts.findRefusal({ ...(account ?? anonymous), sandbox: false });
  }

  private rejectToken(request: FastifyRequest, reply: FastifyReply, message: string): void {
    const { headers, account } = request;
    const { jwt, publicUrl } = this.core.config;
    const base = linkBase(publicUrl, headers);
    const parameters = [
      // A client discards its token after this error. If the keys cannot be fetched, the token may be valid.
      !headers.authorization || account?.rejection === 'keys_unavailable' ? '' : 'error="invalid_token"',
      jwt?.issuer == null || base === null ? '' : `resource_metadata="${base}${metadataPath}/mcp"`,
    ].filter((parameter) => parameter !== '');
    reply.header('www-authenticate', ['Bearer', parameters.join(', ')].join(' ').trim());
    sendError(reply, 401, message);
  }

  /** Creates the server of a request, which adds its calls of tools to `calls`. */
  private createServer(request: FastifyRequest, calls: Promise<unknown>[]): Server {
    const verify: RequestStateCodec<Price>['verify'] = (state, context) =>
      Promise.any(this.priceCodecs.map((codec) => codec.verify(state, context)));
    const options = { capabilities: { tools: {} }, instructions, requestState: { verify } };
    const server = new Server({ name: 'padron', version }, options);
    const language = negotiateLanguage(request.headers['accept-language']);
    server.setRequestHandler('tools/list', async () => {
      const { permissions, client } = request.account ?? anonymous;
      const hasClient = this.core.config.jwt === null || client !== null;
      return { tools: listTools(await this.tools(), { language, permissions, hasClient }) };
    });
    server.setRequestHandler('tools/call', ({ params }, context) => {
      nameClient(request, server.getClientVersion()?.name ?? readClientName(request));
      const caller = { request, language, canAsk: canAsk(server.getClientCapabilities()) };
      const call = this.call(params, context, caller).catch((error: unknown) => this.toResult(error, caller));
      calls.push(call);
      return call;
    });
    return server;
  }

  private async call(
    { name, arguments: variables = {} }: CallToolRequest['params'],
    { mcpReq }: ServerContext,
    caller: { readonly request: FastifyRequest; readonly language: Language; readonly canAsk: boolean },
  ): Promise<CallToolResult | InputRequiredResult> {
    const { request, language } = caller;
    const result = await this.caller.call(name, {
      request,
      language,
      arguments: variables,
      consent: readConsent(mcpReq),
      ask: caller.canAsk ? (price, reason) => this.ask(price, reason, language) : null,
    });
    if (result !== null) return result;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no tool with this name. List the tools.');
  }

  /** Returns an error for a model: its own text if padron wrote it for the caller, and otherwise the text that `/graphql` has. */
  private toResult(error: unknown, { request, language }: Pick<ToolCall, 'request' | 'language'>): CallToolResult {
    if (error instanceof ProtocolError) throw error;
    const { errors } = this.core;
    const formatted =
      error instanceof GraphQLError
        ? errors.format(error.toJSON(), error)
        : errors.formatExecutionError(new GraphQLError('', { originalError: error as Error }), request.id);
    return refuse(sayErrors([formatted]), language);
  }

  private async ask(price: Price, message: string, language: Language): Promise<InputRequiredResult> {
    const field = { type: 'boolean', title: say(sayConsent(price.units), language), default: false } as const;
    const requestedSchema = {
      type: 'object' as const,
      properties: { [consentField]: field },
      required: [consentField],
    };
    return inputRequired({
      inputRequests: { [consentField]: inputRequired.elicit({ message, requestedSchema }) },
      requestState: await this.priceCodecs[0].mint(price),
    });
  }
}

function protocolHeaders({ headers }: FastifyRequest): Headers {
  const protocolHeader = /^(?:accept|content-type|mcp-.+)$/;
  return new Headers(
    Object.entries(headers).flatMap(([name, value]) => (protocolHeader.test(name) ? [[name, String(value)]] : [])),
  );
}

function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Returns the answer of the person to the price in the request's state, which padron signed. */
function readConsent({ inputResponses, requestState }: ServerContext['mcpReq']): ToolCall['consent'] {
  const price = requestState<Price>();
  const answer = inputResponse(inputResponses, consentField);
  if (price === undefined || answer.kind !== 'elicit') return null;
  return { ...price, isGiven: answer.action === 'accept' && answer.content?.[consentField] === true };
}

/** Names the client of a call in the ledger, unless a header names it. The rules of the header apply to the name too. */
function nameClient(request: FastifyRequest, name: string | null): void {
  const isNamed = ['x-client-name', 'apollographql-client-name'].some(
    (header) => request.headers[header] !== undefined,
  );
  if (isNamed || name === null) return;
  // Headers arrive as Latin-1.
  request.headers = { ...request.headers, 'x-client-name': Buffer.from(name).toString('latin1') };
}

const maxNameLength = 64;

/**
 * Returns a session ID for a client of a protocol version before 2026-07-28. Such a client only sends its name when it connects, so the ID
 * contains the name. padron stores no session, and the ID gives access to nothing. Returns null for other requests.
 */
function createSessionId(body: unknown): string | null {
  const { method, params } = (body ?? {}) as { readonly method?: unknown; readonly params?: unknown };
  if (method !== 'initialize') return null;
  const { clientInfo } = (params ?? {}) as { readonly clientInfo?: { readonly name?: unknown } | null };
  const name = clientInfo?.name;
  if (typeof name !== 'string' || name.length > maxNameLength) return null;
  return `${Buffer.from(name).toString('base64url')}.${randomUUID()}`;
}

function readClientName({ headers }: FastifyRequest): string | null {
  const [name = ''] = String(headers[sessionHeader] ?? '').split('.');
  return name === '' ? null : Buffer.from(name, 'base64url').toString();
}
