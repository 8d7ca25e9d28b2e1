import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { answerFault, answerUnreadable, refuse } from './faults';
import { answerGraphql, makeApollo, type Services } from './graphql';
import { addHealth, Shift } from './health';
import { acceptUploads } from './uploads';

const bodyLimit = 1_000_000;
/** The time that a request may take to arrive; without it a dripping body holds its connection for ever. */
const arrivalMs = 60_000;
/** What is left for requests that are still arriving when a stop has delivered everything else. */
const lastMs = 500;

/** The HTTP face: the graph and its health. */
export interface App {
  readonly http: FastifyInstance;
  /** Refuses new work, lets what is under way be answered, then closes. */
  stop(): Promise<void>;
}

export async function makeApp(services: Services): Promise<App> {
  const { config, log } = services;
  const http = fastify({
    bodyLimit,
    genReqId: () => randomUUID(),
    // A name of nothing: no request header may choose what stands in our log.
    requestIdHeader: false,
    logger: false,
    requestTimeout: arrivalMs,
    forceCloseConnections: 'idle',
    // While it closes, our own hook refuses.
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) => void refuse(reply, 400, 'The address of the request cannot be read.'),
    clientErrorHandler: answerUnreadable,
  });
  const shift = new Shift();
  const apollo = makeApollo(services);
  await apollo.start();

  http.setErrorHandler(answerFault(log));
  http.setNotFoundHandler(refuseUnknown);
  addHealth(http, shift);
  acceptUploads(http);
  http.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // Before a body is read: what is not served is not looked at either.
    if (request.is404) return refuseUnknown(request, reply);
    if (shift.stopping && request.routeOptions.url === '/graphql') return refuseLate(reply);
  });
  http.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    handler: async (request, reply) => {
      // Its body may have arrived after the stop began.
      if (shift.stopping) return refuseLate(reply);
      shift.begin();
      reply.raw.once('close', () => shift.end());
      await answerGraphql(apollo, services, request, reply);
      return reply;
    },
  });
  http.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.url !== '/graphql') return;
    log.info({ requestId: request.id, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request');
  });

  return {
    http,
    stop: async () => {
      await shift.stop(config.registryTimeoutMs);
      const last = setTimeout(() => http.server.closeAllConnections(), lastMs);
      await http.close();
      clearTimeout(last);
      await apollo.stop();
    },
  };
}

function refuseLate(reply: FastifyReply): FastifyReply {
  return refuse(reply.header('connection', 'close'), 503, 'This server is shutting down: ask another one.');
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.url.split('?')[0] !== '/graphql') return refuse(reply, 404, 'Nothing here: the graph is at /graphql.');
  return refuse(reply.header('allow', 'GET, POST'), 405, 'The graph is asked by POST; what costs nothing also by GET.');
}
