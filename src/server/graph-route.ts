import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphqlHandler } from './apollo/graphql-handler';
import { Authentication, type RequestAccount } from './auth/authentication';
import type { InFlightRequests } from './http/health';
import { sendError } from './http/http-error';
import { acceptUploads } from './http/multipart-uploads';
import { onRequestEnd } from './http/request-lifecycle';
import { logRequest } from './http/request-log';
import type { Services } from './services';

declare module 'fastify' {
  interface FastifyRequest {
    /** Account of the request. Null until the request is authenticated. */
    account: RequestAccount | null;
  }
}

/** Adds the route of the graph, which is the page of the explorer too. */
export async function addGraphRoute(
  http: FastifyInstance,
  services: Services,
  graphql: GraphqlHandler,
  inFlight: InFlightRequests,
): Promise<void> {
  const { config, log, metrics } = services;
  const authentication = new Authentication(config, log);
  // Loaded on demand, because it loads the people of the sandbox.
  const explorer = config.explorer ? (await import('./explorer/routes.js')).addExplorer(http, services) : null;

  /** Authenticates a request before its body is read, and records its end. */
  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    onRequestEnd(request, reply, {
      closed: () => {
        if (request.handling === null) return;
        // A request whose calls are still running counts towards LIMIT_REQUESTS, even if it was answered.
        if (request.deadline === null) inFlight.finish();
        else void request.deadline.end().then(() => inFlight.finish());
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

  http.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    onRequest: [authenticate, ...(explorer === null ? [] : [explorer])],
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
}

function rejectShuttingDown(reply: FastifyReply): FastifyReply {
  reply.header('connection', 'close');
  return sendError(reply, 503, 'This server is shutting down. Send the request to another one.');
}

function rejectOverloaded(reply: FastifyReply): FastifyReply {
  reply.header('retry-after', '1');
  return sendError(reply, 503, 'Too many requests are running. Retry in a second.', 'OVERLOADED');
}
