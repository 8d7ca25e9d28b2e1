import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import type { Config } from '../config/settings';
import type { ResponseDeadline } from '../money/calls/response-deadline';
import type { CsvExport } from '../money/ledger/reading/csv-export';
import { times } from '../times';
import type { GraphqlHandler } from './apollo/graphql-handler';
import { Authentication } from './auth/authentication';
import { allowOrigins } from './http/cors';
import type { ErrorReference } from './http/error-reference';
import { addHealth, InFlightRequests, type ServiceKind, type StoreState } from './http/health';
import { rejectForeignHosts } from './http/host-check';
import { createErrorHandler, HttpError, onClientError, sendError, writeRawError } from './http/http-error';
import { readJsonBodies } from './http/json-bodies';
import { acceptUploads } from './http/multipart-uploads';
import { findHeaderError } from './http/request-headers';
import { logRequest, onRequestEnd } from './http/request-lifecycle';
import { addLedgerCsv } from './ledger-csv-route';
import { maxCallMs } from './persistence';
import { type Admission, otherTaskOf, type StartedExtension } from './started-extension';
import type { Logger } from './telemetry/logger';
import type { Metrics } from './telemetry/metrics';

function rejectMalformedRequests(http: FastifyInstance): void {
  http.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    writeRawError(response, 417, 'The Expect header is not supported. Send `expect: 100-continue` or none.');
  });
  http.addHook('onRequest', (request, _reply, done) => {
    const { httpVersion, rawHeaders } = request.raw;
    // Proxies and servers differ in which of two Host headers they use.
    if (httpVersion !== '1.1' || countHosts(rawHeaders) === 1) done();
    else done(new HttpError(400, 'A request must have exactly one Host header.'));
  });
}

function countHosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
}

/** Maximum milliseconds for the arrival of a request. Without a limit, a slow body would hold its connection forever. */
const requestTimeoutMs = 60_000;

export interface App {
  readonly http: FastifyInstance;
  stop(): Promise<void>;
}

export interface AppParts {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly errorReference: ErrorReference;
  readonly graphql: GraphqlHandler;
  readonly extensions: ReadonlyMap<string, StartedExtension>;
  /** The files of the ledger. Null without a ledger. */
  readonly csv: CsvExport | null;
  readonly storeState: () => StoreState | null;
}

export async function createApp(parts: AppParts): Promise<App> {
  const { config, log, metrics, errorReference, graphql, extensions, csv, storeState } = parts;
  const http = createServer(config);
  const inFlight = new InFlightRequests();
  const record = (request: FastifyRequest, status: number | null, ms: number): void => {
    metrics.recordRequest(status, ms);
    logRequest(log, request, status, ms);
  };
  const service = config.registryUrl === null ? 'embedded-sandbox' : 'remote';

  http.setErrorHandler(createErrorHandler(log));
  http.setNotFoundHandler(rejectNotFound);
  rejectMalformedRequests(http);
  readJsonBodies(http);
  rejectForeignHosts(http, config);
  await allowOrigins(http, config, log);
  identifyResponses(http, service);

  errorReference.addRoutes(http);
  addHealth(http, inFlight, service, storeState);
  metrics.addRoute(http);
  if (csv !== null) addLedgerCsv(http, csv);
  const authentication = new Authentication(config, log);
  const { requests } = config.limits;
  const admission = new RequestAdmission(authentication, inFlight, requests, otherTaskOf(extensions), record);
  const hooks: onRequestHookHandler[] = [];
  for (const extension of extensions.values()) {
    const hook = (await extension.routes?.(http, admission)) ?? null;
    if (hook !== null) hooks.push(hook);
  }
  http.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    onRequest: [admission.authenticate, ...hooks],
    preValidation: acceptUploads(http),
    handler: admission.limit((request, reply) => graphql.handle(request, reply)),
  });

  return {
    http,
    stop: async () => {
      await inFlight.drain(maxCallMs(config));
      const grace = setTimeout(() => http.server.closeAllConnections(), times.closeGrace);
      await http.close();
      clearTimeout(grace);
    },
  };
}

function createServer({ limits }: Config): FastifyInstance {
  const http = fastify({
    bodyLimit: limits.bodyBytes,
    genReqId: () => randomUUID(),
    // No request header may choose the request ID in the log.
    requestIdHeader: false,
    logger: false,
    // padron rejects these requests itself, in the format of its other errors.
    http: { requireHostHeader: false },
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    // During a stop, padron rejects requests itself.
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) => void sendError(reply, 400, 'The URL of the request is malformed.'),
    clientErrorHandler: onClientError,
  });
  // Node has no documented option for it. Otherwise it closes the connection before the response.
  Object.assign(http.server, { httpAllowHalfOpen: true });
  // These are added before any route, because the routes of extensions inherit the properties that exist at that moment.
  for (const name of ['account', 'logContext', 'errorCodes', 'traceId', 'handling', 'abortSignal', 'deadline'])
    http.decorateRequest(name, null);
  return http;
}

/** Adds the request ID and the kind of the service to every response, and rejects unknown paths before their body is read. */
function identifyResponses(http: FastifyInstance, service: ServiceKind): void {
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // The header tells clients that the people are invented.
    if (service === 'embedded-sandbox') reply.header('x-registry-service', service);
    // `@fastify/cors` has a route for OPTIONS, and has already responded to allowed preflights.
    if (request.is404 || request.method === 'OPTIONS') rejectNotFound(request, reply);
    else done();
  });
}

function rejectNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?')[0];
  if (path !== '/graphql') return sendError(reply, 404, 'Not found. The graph is at /graphql.');
  reply.header('allow', 'GET, POST');
  return sendError(reply, 405, 'This method is not allowed. Send operations by POST, or by GET if they are free.');
}

/** Requests of a tenant whose calls may continue after their responses. Further ones are refused, so that others have the memory. */
const maxLateRequests = 1_000;

const notFromRouter =
  'Requests must come through the router: the header `x-subgraph-secret` is missing or is not SUBGRAPH_SECRET.';

class LateRequests {
  private readonly counts = new Map<string, number>();

  isFull(tenant: string): boolean {
    return (this.counts.get(tenant) ?? 0) >= maxLateRequests;
  }

  track(tenant: string, deadline: ResponseDeadline): void {
    const ended = deadline.end();
    if (!deadline.isLate) return;
    this.counts.set(tenant, (this.counts.get(tenant) ?? 0) + 1);
    void ended.then(() => {
      const count = (this.counts.get(tenant) ?? 0) - 1;
      if (count > 0) this.counts.set(tenant, count);
      else this.counts.delete(tenant);
    });
  }
}

/** Admits the requests of `/graphql` and `/mcp`: their authentication, their log lines, and one limit for both. */
class RequestAdmission implements Admission {
  private readonly late = new LateRequests();

  constructor(
    private readonly authentication: Authentication,
    private readonly inFlight: InFlightRequests,
    private readonly maxRequests: number,
    private readonly otherTask: StartedExtension['otherTask'],
    private readonly record: (request: FastifyRequest, status: number | null, ms: number) => void,
  ) {}

  readonly authenticate = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    onRequestEnd(request, reply, {
      closed: () => {
        if (request.handling === null) return;
        this.inFlight.finish();
        if (request.deadline !== null) this.late.track(request.account?.tenant ?? '', request.deadline);
      },
      finished: (status, ms) => this.record(request, status, ms),
    });
    if (this.inFlight.isDraining) return rejectShuttingDown(reply);
    if (this.otherTask !== undefined) return sendError(reply, 404, this.otherTask.message);
    const headerError = findHeaderError(request.raw);
    if (headerError !== null) return sendError(reply, 400, headerError, 'BAD_USER_INPUT');
    if (!this.authentication.hasRouterSecret(request.headers)) return sendError(reply, 403, notFromRouter);
    request.account = await this.authentication.authenticate(request.headers);
    return undefined;
  };

  /** Returns the handler of a route, which rejects requests while too many are running. */
  limit(handle: (request: FastifyRequest, reply: FastifyReply) => Promise<void>) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { inFlight, late } = this;
      // The stop may have begun while the body arrived.
      if (inFlight.isDraining) return rejectShuttingDown(reply);
      // The client disconnected during authentication, so no client waits for a response, and `close` is not emitted again.
      if (reply.raw.closed || request.raw.socket.destroyed) return reply.hijack();
      if (inFlight.count >= this.maxRequests || late.isFull(request.account?.tenant ?? ''))
        return rejectOverloaded(reply);
      inFlight.start();
      request.handling = handle(request, reply);
      await request.handling;
      return reply;
    };
  }
}

function rejectShuttingDown(reply: FastifyReply): FastifyReply {
  reply.header('connection', 'close');
  return sendError(reply, 503, 'This server is shutting down. Send the request to another one.');
}

function rejectOverloaded(reply: FastifyReply): FastifyReply {
  reply.header('retry-after', '1');
  return sendError(reply, 503, 'Too many requests are running. Retry in a second.', 'OVERLOADED');
}
