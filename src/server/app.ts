import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import type { Config } from '../config/settings';
import { times } from '../times';
import type { GraphqlHandler } from './apollo/graphql-handler';
import { allowOrigins } from './http/cors';
import { addHealth, InFlightRequests, type ServiceKind } from './http/health';
import { rejectForeignHosts } from './http/host-check';
import { createErrorHandler, HttpError, onClientError, sendError, writeRawError } from './http/http-error';
import { acceptUploads } from './http/multipart-uploads';
import { addLedgerCsv } from './ledger-csv-route';
import { maxCallMs } from './persistence';
import { RequestAdmission } from './request-admission';
import type { Services } from './services';

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

export async function createApp(services: Services, graphql: GraphqlHandler): Promise<App> {
  const { extensions, calls, config, metrics, log, errorReference, ledger } = services;
  const http = createServer(config);
  const inFlight = new InFlightRequests();
  const service = config.registryUrl === null ? 'embedded-sandbox' : 'remote';

  http.setErrorHandler(createErrorHandler(log));
  http.setNotFoundHandler(rejectNotFound);
  rejectMalformedRequests(http);
  rejectForeignHosts(http, config);
  await allowOrigins(http, config, log);
  identifyResponses(http, service);

  errorReference.addRoutes(http);
  addHealth(http, inFlight, service, () => calls.store?.state ?? null);
  metrics.addRoute(http);
  if (ledger !== null) addLedgerCsv(http, ledger.csv);
  const admission = new RequestAdmission(services, inFlight);
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
