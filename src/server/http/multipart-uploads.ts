import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import { processRequest, Upload as UploadPart } from 'graphql-upload-minimal';
import { UPLOAD_LIMITS, Upload } from '../../graph/scalars/upload';
import { HttpError, sendError } from './http-error';
import { guardUploadMap } from './upload-map';

const maxFiles = 2;
/** Two files, the operation around them, and what multipart adds. */
const maxBytes = maxFiles * UPLOAD_LIMITS.bytes + 80_000;

/** A hook that reads GraphQL multipart requests: only after a header that makes browsers ask first, and never without a bound. */
export function acceptUploads(
  app: FastifyInstance,
  deadlineMs: number = UPLOAD_LIMITS.deadlineMs,
): preValidationHookHandler {
  // The parser of the library reads the raw request itself.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  return (request, reply, done) => {
    const type = request.headers['content-type'];
    if (type === undefined || !type.toLowerCase().startsWith('multipart/form-data')) done();
    else readUpload(request, reply, deadlineMs).then(() => done(), done);
  };
}

async function readUpload(request: FastifyRequest, reply: FastifyReply, deadlineMs: number): Promise<void> {
  if (request.method !== 'POST') throw new HttpError(415, 'Send uploads by POST to /graphql.');
  requirePreflight(request);
  if ((request.account?.bearer ?? null) === null)
    throw new HttpError(401, 'Files need a token. Send `authorization: Bearer <token>`.');
  enforceLimits(request, reply, deadlineMs);
  drainOnFinish(request, reply);
  request.body = await parse(request, reply);
  zeroizeOnClose(request.body, reply);
}

function requirePreflight({ headers }: FastifyRequest): void {
  if (headers['apollo-require-preflight'] || headers['x-apollo-operation-name']) return;
  throw new HttpError(400, 'A multipart request needs the header `apollo-require-preflight: true` (CSRF prevention).');
}

/** Fastify's own limit does not reach a body that it does not parse. */
function enforceLimits(request: FastifyRequest, reply: FastifyReply, deadlineMs: number): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  let bytes = 0;
  request.raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) return;
    if (reply.sent) return void request.raw.destroy();
    const { statusCode, message } = tooLarge();
    sendError(reply.header('connection', 'close'), statusCode, message);
  });
  // Paused again, because the parser decides when to read.
  request.raw.pause();
  const timer = setTimeout(() => {
    if (request.raw.complete) return;
    if (reply.sent) return void request.raw.destroy();
    sendError(reply.header('connection', 'close'), 408, 'The upload took too long to arrive.');
  }, deadlineMs);
  // Not the answer's end: an early one leaves the rest of the body to be drained, which must end too.
  request.raw.once('close', () => clearTimeout(timer));
}

/** A file that no resolver read would hold up the next request of a kept-alive connection. */
function drainOnFinish(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    request.raw.unpipe();
    request.raw.resume();
  });
}

async function parse(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const guarded = guardUploadMap(request.raw, maxFiles);
  try {
    return await processRequest(guarded.request, reply.raw, {
      maxFieldSize: 64_000,
      // One more than allowed: the parser marks a file of exactly its limit as truncated. `UploadedFile` holds the limit.
      maxFileSize: UPLOAD_LIMITS.bytes + 1,
      maxFiles,
    });
  } catch (error) {
    throw guarded.fault() ?? toHttpError(error);
  }
}

/**
 * Overwrites the files at the end of the request. Fields of the same operation may share a file, so no field knows
 * whether it is the last reader.
 */
function zeroizeOnClose(operations: unknown, reply: FastifyReply): void {
  const parts = collectParts(operations);
  reply.raw.once('close', () => {
    for (const part of parts) {
      void Upload.parseValue(part)
        .content()
        .then((content) => 'bytes' in content && content.bytes.fill(0));
    }
  });
}

/** No recursion: the depth of the operations is the client's choice. */
function collectParts(operations: unknown): readonly UploadPart[] {
  const parts: UploadPart[] = [];
  const pending = [operations];
  while (pending.length > 0) {
    const value = pending.pop();
    if (value instanceof UploadPart) parts.push(value);
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) pending.push(each);
  }
  return parts;
}

/**
 * Beginnings of the library's messages about the structure of a form. The messages continue with a part of the form.
 */
const knownErrorPrefixes = [
  "Invalid JSON in the 'operations' multipart field",
  "Invalid type for the 'operations' multipart field",
  "Misordered multipart fields; 'map' should follow 'operations'",
  "Invalid JSON in the 'map' multipart field",
  "Invalid type for the 'map' multipart field",
  "Invalid object path for the 'map' multipart field",
  "Misordered multipart fields; files should follow 'map'",
  "Missing multipart field 'operations'",
  "Missing multipart field 'map'",
];

function toHttpError(error: unknown): HttpError {
  const { status, message = '' } = error as { readonly status?: number; readonly message?: string };
  if (status === 413) return tooLarge();
  const reason = knownErrorPrefixes.find((prefix) => message.startsWith(prefix));
  return new HttpError(400, `${reason ?? 'The multipart request is malformed or ended early'}.`);
}

function tooLarge(): HttpError {
  return new HttpError(
    413,
    `Too large: at most ${maxFiles} files of ${UPLOAD_LIMITS.bytes.toLocaleString('en')} bytes each.`,
  );
}
