import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { answerFault, refuse } from './faults';
import { answerGraphql, makeApollo, type Services } from './graphql';
import { addHealth, Shift } from './health';
import { acceptUploads } from './uploads';

const bodyLimit = 1_000_000;

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
    forceCloseConnections: 'idle',
  });
  const shift = new Shift();
  const apollo = makeApollo(services);
  await apollo.start();

  http.setErrorHandler(answerFault(log));
  http.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'Nothing here: the graph is at /graphql.'));
  addHealth(http, shift);
  acceptUploads(http);
  http.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (shift.stopping && request.url.startsWith('/graphql')) {
      reply.header('connection', 'close');
      return refuse(reply, 503, 'This server is shutting down: ask another one.');
    }
  });
  http.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    handler: async (request, reply) => {
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
      await http.close();
      await apollo.stop();
    },
  };
}
