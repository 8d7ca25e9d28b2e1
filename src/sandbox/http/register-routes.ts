import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { CallLog, PendingCall } from '../accounts/call-log';
import { type Answer, refused } from '../protocol/responses';
import { endpointOf, type Route } from '../protocol/route';
import { exchange, type Service } from './handle-request';
import { originOf, readInput } from './read-input';
import type { LinkRoute } from './routes';

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function send(reply: FastifyReply, { status, body, contentType, headers }: Answer): FastifyReply {
  const type = contentType ?? 'application/json; charset=utf-8';
  const payload = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
  return reply
    .code(status)
    .headers(headers ?? {})
    .header('content-type', type)
    .send(payload);
}

function bearerOf(request: FastifyRequest): string {
  return /^Bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

/** The interface knows sandbox mode under /api only. */
function isSandboxed(request: FastifyRequest, route: Route): boolean {
  const header = request.headers['x-sandbox'];
  return route.path.startsWith('/api/') && (header === 'true' || header === '1');
}

function pattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Hooks that write a call down as it arrives and close it before the answer leaves. */
function callLogHooks(
  callLog: CallLog,
  describeCall: (request: FastifyRequest) => Omit<PendingCall, 'status' | 'units'>,
) {
  const pendingCalls = new WeakMap<FastifyRequest, PendingCall>();
  return {
    pendingCalls,
    hooks: {
      onRequest: async (request: FastifyRequest) => {
        pendingCalls.set(request, callLog.record({ ...describeCall(request), status: 0, units: 0 }));
      },
      onSend: async (request: FastifyRequest, reply: FastifyReply) => {
        const call = pendingCalls.get(request);
        if (call) call.status = reply.statusCode;
      },
    },
  };
}

function addRoute(app: FastifyInstance, route: Route, service: Service, callLog: CallLog): void {
  const { pendingCalls, hooks } = callLogHooks(callLog, (request) => ({
    endpoint: endpointOf(route),
    input: route.reads === 'query' ? { ...(request.query as Record<string, unknown>) } : {},
    account: bearerOf(request),
    sandbox: isSandboxed(request, route),
    receivedAt: service.world.now(),
  }));
  app.route({
    method: route.method,
    url: route.path,
    ...hooks,
    handler: async (request, reply) => {
      const call = pendingCalls.get(request);
      const { answer, units } = await exchange(
        {
          route,
          token: bearerOf(request),
          sandbox: isSandboxed(request, route),
          origin: originOf(request),
          read: () => readInput(request, route, call),
        },
        service,
      );
      if (call) call.units = units;
      if (route.path.startsWith('/api/')) reply.header('access-control-allow-origin', '*');
      return send(reply, answer);
    },
    errorHandler: (error, _request, reply) => {
      const status = (error as { statusCode?: number }).statusCode ?? 500;
      const message = status < 500 ? 'La petición no se pudo leer.' : 'Error interno del servidor.';
      return send(reply, refused(route.face, status, status < 500 ? 'BAD_REQUEST' : 'SERVER_ERROR', message));
    },
  });
}

function refuseOtherMethods(app: FastifyInstance, path: string, allowed: readonly string[]): void {
  app.route({
    method: METHODS.filter((method) => !allowed.includes(method)),
    url: path,
    handler: async (_request, reply) =>
      reply.code(405).header('allow', allowed.join(', ')).send({ message: 'Method Not Allowed' }),
  });
}

/** The endpoints that need a token. */
export function addRoutes(app: FastifyInstance, table: readonly Route[], service: Service, callLog: CallLog): void {
  for (const route of table) addRoute(app, route, service, callLog);
  for (const path of new Set(table.map((route) => route.path))) {
    const allowed = table.filter((route) => route.path === path).map(({ method }) => method);
    refuseOtherMethods(app, path, allowed);
  }
  // Not the documented envelope: a path that is wrong must not read as a registry that holds nothing.
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ message: 'Not Found' }));
}

/** The signed links: no token, no units. */
export function addLinks(app: FastifyInstance, table: readonly LinkRoute[], service: Service, callLog: CallLog): void {
  for (const route of table) {
    const { hooks } = callLogHooks(callLog, (request) => ({
      endpoint: `GET ${route.path}`,
      input: { ...(request.params as Record<string, unknown>) },
      account: bearerOf(request),
      sandbox: false,
      receivedAt: service.world.now(),
    }));
    app.route<{ Params: { token: string; tipo?: string }; Querystring: { expires?: string; signature?: string } }>({
      method: 'GET',
      url: pattern(route.path),
      ...hooks,
      handler: async ({ params, query }, reply) =>
        send(
          reply,
          route.fetch(service.world.links, {
            token: params.token,
            kind: params.tipo ?? 'pdf',
            expires: String(query.expires ?? ''),
            signature: String(query.signature ?? ''),
          }),
        ),
    });
    refuseOtherMethods(app, pattern(route.path), ['GET']);
  }
}
