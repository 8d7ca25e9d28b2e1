import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../telemetry/logger';
import { findTraceId } from '../telemetry/operation-span';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route answers in JSON-RPC, also with errors. */
    readonly isJsonRpc?: boolean;
  }
  interface FastifyInstance {
    /** Returns the URL of a code in the error reference, or null if the code has no entry. */
    errorUrl?: (code: string) => string | null;
  }
}

export class HttpError extends Error {
  override readonly name = 'HttpError';

  constructor(
    readonly statusCode: number,
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

const codes: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'NOT_ACCEPTABLE',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  503: 'SHUTTING_DOWN',
};

/** Messages by status for requests that Fastify rejects. They quote nothing of the request. */
const messages: Readonly<Record<number, string>> = {
  400: 'The request body is not JSON. Send a JSON object.',
  413: 'The request body is too large for this server. Send less at once.',
  415: 'The content type is not supported. Send application/json, or multipart/form-data with files.',
};

interface ErrorOptions {
  readonly mediaType?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export function sendError(
  reply: FastifyReply,
  status: number,
  message: string,
  code?: string,
  { mediaType = 'application/json', details = {} }: ErrorOptions = {},
): FastifyReply {
  countError(reply.request, codeOf(status, code));
  const body = toErrorBody(status, message, code, (name) => reply.server.errorUrl?.(name) ?? null, details);
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type(`${mediaType}; charset=utf-8`)
    .send(JSON.stringify(reply.routeOptions.config?.isJsonRpc ? toRpcError(body, reply.request.body) : body));
}

/** Sends an error for a request that did not reach Fastify. */
export function writeRawError(response: ServerResponse, status: number, message: string): void {
  const body = Buffer.from(JSON.stringify(toErrorBody(status, message)));
  const headers = { 'content-type': contentType, 'content-length': body.length, 'cache-control': 'no-store' };
  response.writeHead(status, { ...headers, connection: 'close' }).end(body);
}

/** Responds to malformed HTTP by writing to the socket, because there is no reply object. */
export function onClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = clientErrorStatus[error.code ?? ''] ?? 400;
  const message = status === 408 ? 'The request took too long to arrive.' : 'Malformed HTTP request.';
  const body = JSON.stringify(toErrorBody(status, message));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${contentType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const contentType = 'application/json; charset=utf-8';

const clientErrorStatus: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

function toErrorBody(
  status: number,
  message: string,
  explicitCode?: string,
  urlOf: (code: string) => string | null = () => null,
  details: Readonly<Record<string, unknown>> = {},
): ErrorBody {
  const code = codeOf(status, explicitCode);
  const url = urlOf(code);
  return { errors: [{ message, extensions: { code, ...details, ...(url === null ? {} : { url }) } }] };
}

interface ErrorBody {
  readonly errors: readonly [{ readonly message: string; readonly extensions: { readonly code: string } }];
}

/** Codes of JSON-RPC: for a body that cannot be read, a request that is not valid, and an error that the protocol does not define. */
const rpcCodes = { parse: -32_700, invalid: -32_600, other: -32_000 } as const;

/** Returns an error as JSON-RPC has it, with padron's code in its data. */
function toRpcError({ errors: [{ message, extensions: data }] }: ErrorBody, request: unknown): object {
  const { id } = (request ?? {}) as { readonly id?: unknown };
  const isUnread = data.code === 'BAD_REQUEST' && request === undefined;
  const isInvalid = data.code === 'BAD_REQUEST' || data.code === 'BAD_USER_INPUT';
  const code = isUnread ? rpcCodes.parse : isInvalid ? rpcCodes.invalid : rpcCodes.other;
  return {
    jsonrpc: '2.0',
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    error: { code, message, data },
  };
}

export const codeOf = (status: number, explicitCode?: string): string =>
  explicitCode ?? codes[status] ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR');

/** Counts an error of a request for its log line. */
export function countError(request: FastifyRequest, code: string): void {
  const codes = request.errorCodes ?? {};
  codes[code] = (codes[code] ?? 0) + 1;
  request.errorCodes = codes;
}

export function createErrorHandler(log: Logger) {
  return (error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply): void => {
    const status = error.statusCode ?? 500;
    if (error instanceof HttpError) {
      sendError(reply, status, error.message, error.code);
    } else if (status < 500) {
      sendError(reply, status, messages[status] ?? 'The request cannot be read.');
    } else {
      log.internalError(error, request.id, findTraceId(request));
      sendError(reply, 500, `Internal error. Report request ID ${request.id} to the operator.`);
    }
  };
}
