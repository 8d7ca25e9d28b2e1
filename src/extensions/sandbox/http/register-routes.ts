import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { CallLog, PendingCall } from '../accounts/call-log';
import { rejected, type ServiceResponse } from '../protocol/responses';
import { type Route, toEndpointName } from '../protocol/route';
import { handleRequest, type Input, type Service } from './handle-request';
import type { LinkRoute } from './routes';

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function send(reply: FastifyReply, { status, body, contentType, headers }: ServiceResponse): FastifyReply {
  const type = contentType ?? 'application/json; charset=utf-8';
  const payload = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
  return reply
    .code(status)
    .headers(headers ?? {})
    .header('content-type', type)
    .send(payload);
}

function getBearerToken(request: FastifyRequest): string {
  return /^Bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

/** Whether a request is in sandbox mode, which the interface defines only under /api. */
function isSandboxMode(request: FastifyRequest, route: Route): boolean {
  const header = request.headers['x-sandbox'];
  return route.path.startsWith('/api/') && (header === 'true' || header === '1');
}

const MAX_DELAY_MS = 60_000;

/** Returns the milliseconds that the caller wants to wait, or null if the header cannot be read. */
function readDelay(request: FastifyRequest): number | null {
  const { 'x-sandbox-delay': header = '0' } = request.headers;
  const delayMs = /^\d{1,5}$/.test(String(header)) ? Number(header) : Number.POSITIVE_INFINITY;
  return delayMs <= MAX_DELAY_MS ? delayMs : null;
}

function toUrlPattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Returns hooks that log a call when it arrives, and its status before the response is sent. */
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

function registerRoute(app: FastifyInstance, route: Route, service: Service, callLog: CallLog): void {
  const { pendingCalls, hooks } = callLogHooks(callLog, (request) => ({
    endpoint: toEndpointName(route),
    input: route.inputFrom === 'query' ? { ...(request.query as Record<string, unknown>) } : {},
    account: getBearerToken(request),
    sandbox: isSandboxMode(request, route),
    receivedAt: service.dependencies.now(),
  }));
  app.route({
    method: route.method,
    url: route.path,
    ...hooks,
    handler: async (request, reply) => {
      const call = pendingCalls.get(request);
      const delayMs = readDelay(request);
      if (delayMs === null) {
        const message = `x-sandbox-delay debe ser de 0 a ${MAX_DELAY_MS} milisegundos.`;
        return send(reply, rejected(route.protocol, 400, 'BAD_REQUEST', message));
      }
      const { response, units } = await handleRequest(
        {
          route,
          token: getBearerToken(request),
          sandbox: isSandboxMode(request, route),
          delayMs,
          origin: getOrigin(request),
          readInput: () => readInput(request, route, call),
        },
        service,
      );
      if (call) call.units = units;
      if (route.path.startsWith('/api/')) reply.header('access-control-allow-origin', '*');
      return send(reply, response);
    },
    errorHandler: (error, _request, reply) => {
      const status = (error as { statusCode?: number }).statusCode ?? 500;
      const message = status < 500 ? 'La petición no se pudo leer.' : 'Error interno del servidor.';
      return send(reply, rejected(route.protocol, status, status < 500 ? 'BAD_REQUEST' : 'SERVER_ERROR', message));
    },
  });
}

function rejectOtherMethods(app: FastifyInstance, path: string, allowed: readonly string[]): void {
  app.route({
    method: METHODS.filter((method) => !allowed.includes(method)),
    url: path,
    handler: async (_request, reply) =>
      reply.code(405).header('allow', allowed.join(', ')).send({ message: 'Method Not Allowed' }),
  });
}

export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  service: Service,
  callLog: CallLog,
): void {
  for (const route of routes) registerRoute(app, route, service, callLog);
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = routes.filter((route) => route.path === path).map(({ method }) => method);
    rejectOtherMethods(app, path, allowed);
  }
  // This is not the documented envelope, so that a wrong path is not mistaken for a registry without a record.
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ message: 'Not Found' }));
}

/** Registers the signed links, which need no token and cost no units. */
export function registerLinks(
  app: FastifyInstance,
  routes: readonly LinkRoute[],
  service: Service,
  callLog: CallLog,
): void {
  for (const route of routes) {
    const { hooks } = callLogHooks(callLog, (request) => ({
      endpoint: `GET ${route.path}`,
      input: { ...(request.params as Record<string, unknown>) },
      account: getBearerToken(request),
      sandbox: false,
      receivedAt: service.dependencies.now(),
    }));
    app.route<{ Params: { token: string; tipo?: string }; Querystring: { expires?: string; signature?: string } }>({
      method: 'GET',
      url: toUrlPattern(route.path),
      ...hooks,
      handler: async ({ params, query }, reply) =>
        send(
          reply,
          route.fetch(service.dependencies.links, {
            token: params.token,
            kind: params.tipo ?? 'pdf',
            expires: String(query.expires ?? ''),
            signature: String(query.signature ?? ''),
          }),
        ),
    });
    rejectOtherMethods(app, toUrlPattern(route.path), ['GET']);
  }
}

type Fields = Record<string, unknown>;

/** Returns the origin that the client used. If the `Host` header is invalid, returns the server's own address. */
function getOrigin(request: FastifyRequest): string {
  const { host } = request.headers;
  if (host && /^[\w.-]+(:\d+)?$|^\[[0-9a-f:]+\](:\d+)?$/i.test(host)) return `http://${host}`;
  return `http://${request.socket.localAddress}:${request.socket.localPort}`;
}

function readJson(request: FastifyRequest): Fields | undefined {
  const { body } = request;
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  if (!request.headers['content-type']?.includes('json')) return {};
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

async function readForm(request: FastifyRequest): Promise<Input> {
  const fields: Fields = {};
  const files: Record<string, Buffer> = {};
  if (!request.isMultipart()) return { fields, files };
  for await (const part of request.parts()) {
    if (part.type === 'file') files[part.fieldname] = await part.toBuffer();
    else fields[part.fieldname] = part.value;
  }
  return { fields, files };
}

/** Reads the input of a route and logs it in the call. Only the userId of a form is logged. */
async function readInput(
  request: FastifyRequest,
  route: Route,
  call: PendingCall | undefined,
): Promise<Input | ServiceResponse> {
  if (route.inputFrom === 'nothing') return { fields: {}, files: {} };
  if (route.inputFrom === 'query') return { fields: { ...(request.query as Fields) }, files: {} };
  if (route.inputFrom === 'json') {
    const fields = readJson(request);
    if (!fields) return rejected(route.protocol, 400, 'BAD_REQUEST', 'El cuerpo no es un objeto JSON.');
    if (call) call.input = fields;
    return { fields, files: {} };
  }
  const form = await readForm(request);
  if (call && form.fields.userId !== undefined) call.input = { userId: form.fields.userId };
  return form;
}
