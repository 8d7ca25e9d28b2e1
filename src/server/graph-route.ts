import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseDeadline } from '../registry/questions/response-deadline';
import type { GraphqlHandler } from './apollo/graphql-handler';
import { Authentication, type RequestAccount } from './auth/authentication';
import { addExplorer } from './explorer/routes';
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

/** Requests of an account whose calls may continue after their responses. Further ones are refused, so that others have the memory. */
const maxLateRequests = 1_000;

/** Counts the requests of each account that were answered before all of their calls had ended. */
class LateRequests {
  private readonly counts = new Map<string, number>();

  isFull(account: string): boolean {
    return (this.counts.get(account) ?? 0) >= maxLateRequests;
  }

  track(account: string, deadline: ResponseDeadline): void {
    const ended = deadline.end();
    if (!deadline.isLate) return;
    this.counts.set(account, (this.counts.get(account) ?? 0) + 1);
    void ended.then(() => {
      const count = (this.counts.get(account) ?? 0) - 1;
      if (count > 0) this.counts.set(account, count);
      else this.counts.delete(account);
    });
  }
}

/** Adds the route of the graph, which is the page of the explorer too. */
export function addGraphRoute(
  http: FastifyInstance,
  services: Services,
  graphql: GraphqlHandler,
  inFlight: InFlightRequests,
): void {
  const { config, log, metrics } = services;
  const authentication = new Authentication(config, log);
  const late = new LateRequests();
  const explorer = config.explorer ? addExplorer(http, services) : null;

  /** Authenticates a request before its body is read, and records its end. */
  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    onRequestEnd(request, reply, {
      closed: () => {
        if (request.handling === null) return;
        inFlight.finish();
        if (request.deadline !== null) late.track(request.account?.account ?? '', request.deadline);
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
      if (inFlight.count >= config.limits.requests || late.isFull(request.account?.account ?? ''))
        return rejectOverloaded(reply);
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
