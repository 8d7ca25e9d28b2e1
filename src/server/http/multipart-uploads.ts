import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import { processRequest, Upload as UploadPart } from 'graphql-upload-minimal';
import { SecretBytes } from '../../graph/core/scalars/secret-bytes';
import { UPLOAD_LIMITS, UploadedFile } from '../../graph/core/scalars/upload';
import { HttpError, sendError } from './http-error';

interface CheckedUpload {
  readonly request: IncomingMessage;
  error(): HttpError | null;
}

type FieldListener = (name: string, value: string, info: unknown) => void;

/**
 * Checks the map of an upload before the library applies it. The library writes to any path, even in built-in objects, so a form could
 * break all later requests. The check is a listener before the library's own, so both read the same form.
 */
function checkUploadMap(raw: IncomingMessage, maxFiles: number): CheckedUpload {
  let error: HttpError | null = null;
  const addCheck = (parser: Writable): Writable => {
    const listeners = parser.listeners('field') as FieldListener[];
    let operations = '';
    parser.removeAllListeners('field');
    return parser.on('field', (name: string, value: string, info: unknown) => {
      if (name === 'operations') operations = value;
      const reason = name === 'map' ? findMapError(operations, value, maxFiles) : null;
      if (reason === null) return listeners.forEach((listener) => void listener(name, value, info));
      error = new HttpError(400, reason);
      parser.destroy(error);
    });
  };
  const request = {
    headers: raw.headers,
    pipe: (parser: Writable) => raw.pipe(addCheck(parser)),
    unpipe: (parser: Writable) => raw.unpipe(parser),
    once: (event: string, listener: () => void) => raw.once(event, listener),
    resume: () => raw.resume(),
    get readableEnded() {
      return raw.readableEnded;
    },
  };
  return { request: request as unknown as IncomingMessage, error: () => error };
}

const invalidPath =
  "Invalid object path for the 'map' multipart field: each leads to a null within the variables of the operation.";
const indexOfList = /^(?:0|[1-9]\d*)$/;

/** Returns what is wrong with the map. Returns null if it can be applied, or if the library rejects the form itself. */
function findMapError(operationsText: string, mapText: string, maxFiles: number): string | null {
  const operations = parseJson(operationsText);
  const map = parseJson(mapText);
  if (typeof operations !== 'object' || typeof map !== 'object' || map === null || Array.isArray(map)) return null;
  if (Object.keys(map).length > maxFiles) return null;
  const paths = Object.values(map).flat();
  if (paths.some((path) => typeof path !== 'string')) return "Invalid type for the 'map' multipart field.";
  if (new Set(paths).size < paths.length) return "The 'map' multipart field names the same place twice.";
  return paths.every((path) => isNullVariable(operations, path)) ? null : invalidPath;
}

function isNullVariable(operations: object | null, path: string): boolean {
  const names = path.split('.');
  if (names[0] !== 'variables' || names.length < 2) return false;
  let value: unknown = operations;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
    // `length` is an own property of a list too.
    if (Array.isArray(value) && !indexOfList.test(name)) return false;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value === null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const maxFiles = 2;
/** Maximum bytes of the files, the operation and the boundaries of the form. */
const maxBytes = maxFiles * UPLOAD_LIMITS.bytes + 80_000;

/**
 * Returns a hook that reads GraphQL multipart requests. They need a header that makes browsers send a preflight first. Their size and time
 * are limited.
 */
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
  const secrets = new SecretBytes();
  request.raw.on('data', (chunk: Buffer) => secrets.keep(chunk));
  const requestEnd = new Promise<void>((resolve) => {
    if (reply.raw.closed) resolve();
    else reply.raw.once('close', resolve);
  });
  void requestEnd.then(() => secrets.release());
  drainOnFinish(request, reply);
  request.body = await parse(request, reply);
  readFiles(request.body, (part) => new UploadedFile(part.promise, secrets, requestEnd));
}

function requirePreflight({ headers }: FastifyRequest): void {
  if (headers['apollo-require-preflight'] || headers['x-apollo-operation-name']) return;
  throw new HttpError(400, 'A multipart request needs the header `apollo-require-preflight: true` (CSRF prevention).');
}

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
  // The listener above started the stream. The parser decides when to read it.
  request.raw.pause();
  const timer = setTimeout(() => {
    if (request.raw.complete) return;
    if (reply.sent) return void request.raw.destroy();
    sendError(reply.header('connection', 'close'), 408, 'The upload took too long to arrive.');
  }, deadlineMs);
  // The timer continues after an early response, because the rest of the body is still read.
  request.raw.once('close', () => clearTimeout(timer));
}

/** Reads the rest of the body after an early response. It would block the next request of the connection. */
function drainOnFinish(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    request.raw.unpipe();
    request.raw.resume();
  });
}

async function parse(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const checked = checkUploadMap(request.raw, maxFiles);
  try {
    return await processRequest(checked.request, reply.raw, { maxFieldSize: 64_000, maxFiles });
  } catch (error) {
    throw checked.error() ?? toHttpError(error);
  }
}

/** Replaces the parts of the operations by files. Without recursion, because the client chooses the depth. */
function readFiles(operations: unknown, read: (part: UploadPart) => UploadedFile): void {
  const files = new Map<UploadPart, UploadedFile>();
  const pending = [operations];
  while (pending.length > 0) {
    const parent = pending.pop();
    if (typeof parent !== 'object' || parent === null) continue;
    for (const [name, value] of Object.entries(parent)) {
      if (!(value instanceof UploadPart)) pending.push(value);
      else {
        const file = files.get(value) ?? read(value);
        files.set(value, file);
        Object.assign(parent, { [name]: file });
      }
    }
  }
}

/** Prefixes of the library's messages about the structure of a form. The messages continue with a part of the form. */
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
