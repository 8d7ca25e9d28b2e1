import { randomUUID } from 'node:crypto';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HookHandlerDoneFunction,
} from 'fastify';
import { GraphqlHandler } from './apollo/graphql-handler';
import { type Account, Authentication } from './auth/authentication';
import { allowOrigins } from './http/cors';
import { addHealth, Shift } from './http/health';
import { answerFault, answerUnreadable, refuse } from './http/http-error';
import { refuseUnusualRequests } from './http/malformed-requests';
import { acceptUploads } from './http/multipart-uploads';
import { onRequestEnd } from './http/request-lifecycle';
import { logRequest } from './http/request-log';
import type { Services } from './request-context';

/** The time that a request may take to arrive; without it a dripping body holds its connection for ever. */
const arrivalMs = 60_000;
/** What is left for requests that are still arriving when a stop has delivered everything else. */
const lastMs = 500;

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

export async function makeApp(services: Services): Promise<App> {
  const { config, metrics, log } = services;
  const http = fastify({
    bodyLimit: config.limits.bodyBytes,
    genReqId: () => randomUUID(),
    // A name of nothing: no request header may choose what stands in our log.
    requestIdHeader: false,
    logger: false,
    // Refused by ourselves, in the shape of everything else.
    http: { requireHostHeader: false },
    requestTimeout: arrivalMs,
    forceCloseConnections: 'idle',
    // While it closes, our own hook refuses.
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) => void refuse(reply, 400, 'The address of the request cannot be read.'),
    clientErrorHandler: answerUnreadable,
  });
  const shift = new Shift();
  const authentication = new Authentication(config, log);
  const graphql = new GraphqlHandler(services);
  await graphql.start();

  http.setErrorHandler(answerFault(log));
  http.setNotFoundHandler(refuseUnknown);
  refuseUnusualRequests(http);
  await allowOrigins(http, config.corsOrigins);
  addHealth(http, shift);
  http.decorateRequest('account', null);
  http.decorateRequest('logContext', null);
  http.decorateRequest('handling', null);
  http.decorateRequest('abortSignal', null);
  metrics.serve(http);
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // Before a body is read: what is not served is not looked at either.
    if (request.is404) refuseUnknown(request, reply);
    else done();
  });
  // Loaded only where it is served: it knows the people of the sandbox.
  const explorer = config.introspection ? (await import('./explorer.js')).addExplorer(http, services) : null;
  http.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    onRequest: [enter, ...(explorer === null ? [] : [explorer])],
    preValidation: acceptUploads(http),
    handler: async (request, reply) => {
      // Its body may have arrived after the stop began.
      if (shift.stopping) return refuseLate(reply);
      // Gone while it was being told who asks: `close` will not come again, and nobody waits.
      if (reply.raw.closed || request.raw.socket.destroyed) return reply.hijack();
      if (shift.underWay >= config.limits.requests) return refuseBusy(reply);
      shift.begin();
      request.handling = graphql.handle(request, reply);
      await request.handling;
      return reply;
    },
  });

  /** Follows a request from its first moment, and finds out who asks. */
  function enter(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    onRequestEnd(request, reply, {
      closed: () => {
        if (request.handling !== null) shift.end();
      },
      finished: (status, ms) => {
        metrics.answered(status, ms);
        if (log.tellsRequests) logRequest(log, request, status, ms);
      },
    });
    if (shift.stopping) return void refuseLate(reply);
    if (!authentication.isFromRouter(request.headers)) return void refuse(reply, 403, 'Ask through the router.');
    const account = authentication.account(request.headers);
    const know = (known: Account): void => {
      request.account = known;
      done();
    };
    if (account instanceof Promise) account.then(know, done);
    else know(account);
  }

  return {
    http,
    stop: async () => {
      await shift.stop(config.registryTimeoutMs);
      const last = setTimeout(() => http.server.closeAllConnections(), lastMs);
      await http.close();
      clearTimeout(last);
      await graphql.stop();
    },
  };
}

function refuseLate(reply: FastifyReply): FastifyReply {
  return refuse(reply.header('connection', 'close'), 503, 'This server is shutting down: ask another one.');
}

function refuseBusy(reply: FastifyReply): FastifyReply {
  return refuse(
    reply.header('retry-after', '1'),
    503,
    'Too many requests are waiting: try again in a second.',
    'OVERLOADED',
  );
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.url.split('?')[0] !== '/graphql') return refuse(reply, 404, 'Nothing here: the graph is at /graphql.');
  return refuse(reply.header('allow', 'GET, POST'), 405, 'The graph is asked by POST; what costs nothing also by GET.');
}
