import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { GraphqlHandler } from './apollo/graphql-handler';
import { Authentication, type RequestAccount } from './auth/authentication';
import { addBatchRoutes } from './batch/batch-routes';
import { allowOrigins } from './http/cors';
import { addHealth, InFlightRequests } from './http/health';
import { rejectForeignHosts } from './http/host-check';
import { createErrorHandler, onClientError, sendError } from './http/http-error';
import { rejectMalformedRequests } from './http/malformed-requests';
import { acceptUploads } from './http/multipart-uploads';
import { onRequestEnd } from './http/request-lifecycle';
import { logRequest } from './http/request-log';
import { addLedgerCsv } from './ledger/csv-route';
import type { Services } from './services';

/** Maximum milliseconds until a request has arrived. Without it a slow body would hold its connection forever. */
const requestTimeoutMs = 60_000;
/** Milliseconds that requests have to arrive after a stop has sent all responses. */
const closeGraceMs = 500;

declare module 'fastify' {
  interface FastifyRequest {
    /** Account of the request. Null until the request is authenticated. */
    account: RequestAccount | null;
  }
}

/** The HTTP server: the graph, health, metrics, and the files of the ledger and of batches. */
export interface App {
  readonly http: FastifyInstance;
  /** Rejects new requests, responds to the running ones, then closes. */
  stop(): Promise<void>;
}

export async function createApp(services: Services): Promise<App> {
  const { batches, config, metrics, log, errorReference, ledger } = services;
  const http = fastify({
    bodyLimit: config.limits.bodyBytes,
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
  const inFlight = new InFlightRequests();
  const authentication = new Authentication(config, log);
  const graphql = new GraphqlHandler(services);
  await graphql.start();

  errorReference.register(http);
  http.setErrorHandler(createErrorHandler(log));
  http.setNotFoundHandler(rejectNotFound);
  rejectMalformedRequests(http);
  rejectForeignHosts(http, config);
  await allowOrigins(http, config, log);
  const service = config.registryUrl === null ? 'embedded-sandbox' : 'remote';
  addHealth(http, inFlight, service, ledger === null ? null : () => ledger.recording.state());
  if (ledger !== null) addLedgerCsv(http, ledger.csv);
  http.decorateRequest('account', null);
  http.decorateRequest('logContext', null);
  http.decorateRequest('traceId', null);
  http.decorateRequest('handling', null);
  http.decorateRequest('abortSignal', null);
  metrics.registerRoute(http);
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // The header tells clients that the people are invented.
    if (service === 'embedded-sandbox') reply.header('x-registry-service', service);
    // Unknown paths are rejected before the body is read. `@fastify/cors` has a route for OPTIONS, and has already responded to allowed
    // preflights.
    if (request.is404 || request.method === 'OPTIONS') rejectNotFound(request, reply);
    else done();
  });
  if (batches !== null) await addBatchRoutes(http, batches.files, batches.links);
  // Loaded on demand, because it loads the people of the sandbox.
  const explorer = config.introspection ? (await import('./explorer/routes.js')).addExplorer(http, services) : null;
  http.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    onRequest: [authenticateRequest, ...(explorer === null ? [] : [explorer])],
    preValidation: acceptUploads(http),
    handler: async (request, reply) => {
      // The stop may have begun while the body arrived.
      if (inFlight.isDraining) return rejectShuttingDown(reply);
      // The client disconnected during authentication, so no client waits for a response, and `close` is not emitted again.
      if (reply.raw.closed || request.raw.socket.destroyed) return reply.hijack();
      if (inFlight.count >= config.limits.requests) return rejectOverloaded(reply);
      inFlight.start();
      request.handling = graphql.handle(request, reply);
      await request.handling;
      return reply;
    },
  });

  /** Authenticates a request before its body is read, and records its end. */
  async function authenticateRequest(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    onRequestEnd(request, reply, {
      closed: () => {
        if (request.handling !== null) inFlight.finish();
      },
      finished: (status, ms) => {
        metrics.recordRequest(status, ms);
        logRequest(log, request, status, ms);
      },
    });
    if (inFlight.isDraining) return rejectShuttingDown(reply);
    if (config.batch.role === 'worker')
      return sendError(
        reply,
        404,
        'This process only runs batches. Send the request to a process that serves the graph.',
      );
    if (!authentication.hasRouterSecret(request.headers))
      return sendError(reply, 403, 'Requests must come through the router.');
    request.account = await authentication.authenticate(request.headers);
    return undefined;
  }

  return {
    http,
    stop: async () => {
      await inFlight.drain(config.registryTimeoutMs);
      const grace = setTimeout(() => http.server.closeAllConnections(), closeGraceMs);
      await http.close();
      clearTimeout(grace);
      await graphql.stop();
    },
  };
}

function rejectShuttingDown(reply: FastifyReply): FastifyReply {
  return sendError(
    reply.header('connection', 'close'),
    503,
    'This server is shutting down. Send the request to another one.',
  );
}

function rejectOverloaded(reply: FastifyReply): FastifyReply {
  return sendError(
    reply.header('retry-after', '1'),
    503,
    'Too many requests are running. Retry in a second.',
    'OVERLOADED',
  );
}

function rejectNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.url.split('?')[0] !== '/graphql') return sendError(reply, 404, 'Not found. The graph is at /graphql.');
  return sendError(
    reply.header('allow', 'GET, POST'),
    405,
    'This method is not allowed. Send operations by POST, or by GET if they are free.',
  );
}
