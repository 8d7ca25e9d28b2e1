import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import busboy from 'busboy';
import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import { processRequest, Upload as UploadPart } from 'graphql-upload-minimal';
import { SecretBytes } from '../../graph/core/scalars/secret-bytes';
import { UPLOAD_LIMITS, UploadedFile } from '../../graph/core/scalars/upload';
import { parseJson } from '../../identifiers/json-value';
import { isDamaged } from '../../identifiers/text';
import { isPreflighted } from './content-negotiation';
import { HttpError } from './http-error';

const maxFiles = 2;
/** Maximum bytes of the files, the operation and the boundaries of the form. A file may be in the operation, as base64. */
const maxBytes = maxFiles * UPLOAD_LIMITS.bytes + 80_000;

/**
 * Returns a hook that reads GraphQL multipart requests. They need a header that makes browsers send a preflight first. Their size and time
 * are limited.
 */
export function acceptUploads(
  app: FastifyInstance,
  deadlineMs: number = UPLOAD_LIMITS.deadlineMs,
): preValidationHookHandler {
  // The hook reads the raw request itself.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  return (request, reply, done) => {
    const boundary = findBoundary(request.headers['content-type']);
    if (boundary === null) done();
    else readUpload(request, reply, boundary, deadlineMs).then(() => done(), done);
  };
}

/** Returns the boundary of a form, or '' if it names none. Returns null for other content types. */
function findBoundary(contentType = ''): string | null {
  if (!/^\s*multipart\/form-data\s*(;|$)/i.test(contentType)) return null;
  return new MIMEType(contentType).params.get('boundary') ?? '';
}

async function readUpload(
  request: FastifyRequest,
  reply: FastifyReply,
  boundary: string,
  deadlineMs: number,
): Promise<void> {
  if (request.method !== 'POST') throw new HttpError(415, 'Send uploads by POST to /graphql.');
  requirePreflight(request);
  if ((request.account?.bearer ?? null) === null)
    throw new HttpError(401, 'Files need a token. Send `authorization: Bearer <token>`.');
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const secrets = new SecretBytes();
  if (reply.raw.closed) secrets.release();
  else reply.raw.once('close', () => secrets.release());
  const body = await readBody(request.raw, secrets, deadlineMs).catch((error) => {
    // The rest of the body is not read.
    reply.header('connection', 'close');
    throw error;
  });
  // The library only reads a content type in lower case and without a space.
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  request.body = await parse(headers, withoutMark(body, secrets), reply);
  readFiles(request.body, (part) => new UploadedFile(part.promise, secrets));
}

function requirePreflight({ headers }: FastifyRequest): void {
  if (isPreflighted(headers)) return;
  throw new HttpError(400, 'A multipart request needs the header `apollo-require-preflight: true` (CSRF prevention).');
}

/** Reads a body. Its chunks are kept until the response has been sent, also those that arrive after the error. */
function readBody(raw: IncomingMessage, secrets: SecretBytes, deadlineMs: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new HttpError(408, 'The upload took too long to arrive.')), deadlineMs);
    raw.on('data', (chunk: Buffer) => {
      chunks.push(secrets.keep(chunk));
      bytes += chunk.length;
      if (bytes > maxBytes) reject(tooLarge());
    });
    raw.once('end', () => resolve(secrets.keep(Buffer.concat(chunks))));
    raw.once('close', () => {
      clearTimeout(timer);
      reject(malformed());
    });
  });
}

/** Returns a form without the byte order mark of its first part, which is the operation. A body of JSON may begin with one too. */
function withoutMark(body: Buffer, secrets: SecretBytes): Buffer {
  const mark = Buffer.from('\ufeff');
  const start = body.indexOf('\r\n\r\n') + 4;
  const end = start + mark.length;
  if (!body.subarray(start, end).equals(mark)) return body;
  return secrets.keep(Buffer.concat([body.subarray(0, start), body.subarray(end)]));
}

type Headers = IncomingMessage['headers'];

async function parse(headers: Headers, body: Buffer, reply: FastifyReply): Promise<unknown> {
  // The library reads a body that has arrived in this environment only. It uses nothing else of the request.
  const arrived = { headers, body } as unknown as IncomingMessage;
  try {
    const error = findFormError(headers, body);
    if (error !== null) throw error;
    return await processRequest(arrived, reply.raw, { maxFieldSize: maxBytes, maxFiles, environment: 'lambda' });
  } catch (error) {
    throw error instanceof HttpError ? error : toHttpError(error);
  }
}

/**
 * Checks a form before the library reads it. The library decodes any bytes, ignores what it does not expect, and applies the map to any path,
 * even in built-in objects, so a form could break all later requests. Both read the form with the same parser.
 */
function findFormError(headers: Headers, body: Buffer): HttpError | null {
  // A file without a name is a field. Further fields are ignored, because each takes time.
  const limits = { fieldSize: maxBytes, fields: 2 + maxFiles, files: maxFiles };
  const parser = busboy({ headers, defParamCharset: 'utf8', limits });
  let operations = '';
  let map = '';
  let error: HttpError | null = null;
  const refuse = (status: number, message: string | null): void => {
    if (message !== null) error ??= new HttpError(status, message);
  };
  parser.on('field', (name, value: string | undefined) => {
    if (value === undefined) refuse(415, 'The charset of a multipart field is unknown. Send UTF-8.');
    else if (name === 'operations') {
      operations = value;
      if (isDamaged(value)) refuse(400, notText);
    } else if (name === 'map') {
      map = value;
      refuse(400, findMapError(operations, map));
    } else if (Object.hasOwn(Object(parseJson(map)), name)) refuse(400, noFileName);
  });
  parser.on('filesLimit', () => refuse(413, tooLarge().message));
  // The library reports the errors of the form.
  parser.on('error', () => undefined);
  parser.end(body);
  return error;
}

const notText =
  "The 'operations' multipart field is not text of its charset. Send UTF-8, or name the charset in the content type of this part.";
const noFileName = "A file that the 'map' multipart field names has no file name. Send it with a file name.";
const invalidPath =
  "Invalid object path for the 'map' multipart field: each leads to a null within the variables of the operation.";
const indexOfList = /^(?:0|[1-9]\d*)$/;

/** Returns what is wrong with the map. Returns null if it can be applied, or if the library rejects the form itself. */
function findMapError(operationsText: string, mapText: string): string | null {
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
  return reason === undefined ? malformed() : new HttpError(400, `${reason}.`);
}

function malformed(): HttpError {
  return new HttpError(400, 'The multipart request is malformed or ended early.');
}

function tooLarge(): HttpError {
  return new HttpError(
    413,
    `Too large: at most ${maxFiles} files of ${UPLOAD_LIMITS.bytes.toLocaleString('en')} bytes each.`,
  );
}
