import type { FastifyRequest } from 'fastify';
import type { PendingCall } from '../accounts/call-log';
import { rejected, type ServiceResponse } from '../protocol/responses';
import type { Route } from '../protocol/route';
import type { Input } from './handle-request';

type Fields = Record<string, unknown>;

/** Returns the origin that the client used. If the `Host` header is invalid, returns the server's own address. */
export function getOrigin(request: FastifyRequest): string {
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
export async function readInput(
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
