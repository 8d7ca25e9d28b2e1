import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { GraphqlHandler } from './apollo/graphql-handler';
import { type Account, Authentication } from './auth/authentication';
import { addBatchRoutes } from './batch/batch-routes';
import type { RunningBatches } from './batch/start-batches';
import { allowOrigins } from './http/cors';
import { addHealth, InFlightRequests } from './http/health';
import { errorHandler, onClientError, sendError } from './http/http-error';
import { rejectForeignNames } from './http/loopback-names';
import { rejectMalformedRequests } from './http/malformed-requests';
import { acceptUploads } from './http/multipart-uploads';
import { onRequestEnd } from './http/request-lifecycle';
import { logRequest } from './http/request-log';
import { addLedgerCsv } from './ledger/csv-route';
import type { Services } from './request-context';

/** The time that a request may take to arrive; without it a dripping body holds its connection for ever. */
const requestTimeoutMs = 60_000;
/** What is left for requests that are still arriving when a stop has delivered everything else. */
const closeGraceMs = 500;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; known before a body is read. */
    account: Account | null;
  }
}

/** The HTTP face: the graph and its health. */
export interface App {
  readonly http: FastifyInstance;
  /** Refuses new work, lets what is under way be answered, then closes. */
  stop(): Promise<void>;
}

export async function createApp(services: Services & { readonly batches: RunningBatches | null }): Promise<App> {
  const { batches, config, metrics, log, errorReference } = services;
  const http = fastify({
    bodyLimit: config.limits.bodyBytes,
    genReqId: () => randomUUID(),
    // A name of nothing: no request header may choose what stands in our log.
    requestIdHeader: false,
    logger: false,
    // Refused by ourselves, in the shape of everything else.
    http: { requireHostHeader: false },
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    // While it closes, our own hook rejects.
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) =>
      void sendError(reply, 400, 'The address of the request cannot be read.'),
    clientErrorHandler: onClientError,
  });
  const inFlight = new InFlightRequests();
  const authentication = new Authentication(config, log);
  const graphql = new GraphqlHandler(services);
  await graphql.start();

  errorReference.register(http);
  http.setErrorHandler(errorHandler(log));
  http.setNotFoundHandler(rejectNotFound);
  rejectMalformedRequests(http);
  rejectForeignNames(http, config);
  await allowOrigins(http, config, log);
  const service = config.registryUrl === null ? 'embedded-sandbox' : 'remote';
  const { ledger } = services;
  addHealth(http, inFlight, service, ledger === null ? null : () => ledger.state());
  if (services.ledgerReading !== null) addLedgerCsv(http, services.ledgerReading.csv);
  http.decorateRequest('account', null);
  http.decorateRequest('logContext', null);
  http.decorateRequest('traceId', null);
  http.decorateRequest('handling', null);
  http.decorateRequest('abortSignal', null);
  metrics.registerRoute(http);
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // Nobody shall take invented people for real ones.
    if (service === 'embedded-sandbox') reply.header('x-registry-service', service);
    // Before a body is read: what is not served is not looked at either.
    // `@fastify/cors` has a route for OPTIONS, whose allowed preflights are answered by now.
    if (request.is404 || request.method === 'OPTIONS') rejectNotFound(request, reply);
    else done();
  });
  if (batches !== null) await addBatchRoutes(http, batches.files, batches.links);
  // Loaded only where it is served: it knows the people of the sandbox.
  const explorer = config.introspection ? (await import('./explorer/routes.js')).addExplorer(http, services) : null;
  http.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    onRequest: [authenticateRequest, ...(explorer === null ? [] : [explorer])],
    preValidation: acceptUploads(http),
    handler: async (request, reply) => {
      // Its body may have arrived after the stop began.
      if (inFlight.isDraining) return rejectShuttingDown(reply);
      // The client left while it was being authenticated: `close` will not come again, and nobody waits.
      if (reply.raw.closed || request.raw.socket.destroyed) return reply.hijack();
      if (inFlight.count >= config.limits.requests) return rejectOverloaded(reply);
      inFlight.start();
      request.handling = graphql.handle(request, reply);
      await request.handling;
      return reply;
    },
  });

  /** Follows a request from its first moment, and finds out who asks. */
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
      return sendError(reply, 404, 'This process runs batches only: the graph is elsewhere.');
    if (!authentication.hasRouterSecret(request.headers)) return sendError(reply, 403, 'Ask through the router.');
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
  return sendError(reply.header('connection', 'close'), 503, 'This server is shutting down: ask another one.');
}

function rejectOverloaded(reply: FastifyReply): FastifyReply {
  return sendError(
    reply.header('retry-after', '1'),
    503,
    'Too many requests are waiting: try again in a second.',
    'OVERLOADED',
  );
}

function rejectNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.url.split('?')[0] !== '/graphql') return sendError(reply, 404, 'Nothing here: the graph is at /graphql.');
  return sendError(
    reply.header('allow', 'GET, POST'),
    405,
    'The graph is asked by POST; what costs nothing also by GET.',
  );
}
