import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseDeadline } from '../money/calls/response-deadline';
import { Authentication, type RequestAccount } from './auth/authentication';
import type { InFlightRequests } from './http/health';
import { sendError } from './http/http-error';
import { findHeaderError } from './http/request-headers';
import { logRequest, onRequestEnd } from './http/request-lifecycle';
import { type Admission, otherTaskOf, type Services, type StartedExtension } from './services';

declare module 'fastify' {
  interface FastifyRequest {
    /** Account of the request. Null until the request is authenticated. */
    account: RequestAccount | null;
  }
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
export class RequestAdmission implements Admission {
  private readonly authentication: Authentication;
  private readonly late = new LateRequests();
  private readonly otherTask: StartedExtension['otherTask'];

  constructor(
    private readonly services: Services,
    private readonly inFlight: InFlightRequests,
  ) {
    this.authentication = new Authentication(services.config, services.log);
    this.otherTask = otherTaskOf(services);
  }

  readonly authenticate = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { log, metrics } = this.services;
    onRequestEnd(request, reply, {
      closed: () => {
        if (request.handling === null) return;
        this.inFlight.finish();
        if (request.deadline !== null) this.late.track(request.account?.tenant ?? '', request.deadline);
      },
      finished: (status, ms) => {
        metrics.recordRequest(status, ms);
        logRequest(log, request, status, ms);
      },
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
      if (inFlight.count >= this.services.config.limits.requests || late.isFull(request.account?.tenant ?? ''))
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
