import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { processRequest } from 'graphql-upload-minimal';
import { UPLOAD_LIMITS } from '../graph/scalars/upload';
import { HttpFault } from './faults';

/** Two files, the operation around them, and what multipart adds. */
const mostBytes = 2 * UPLOAD_LIMITS.bytes + 80_000;

/** Reads GraphQL multipart requests: only after a header that makes browsers ask first, and never without a bound. */
export function acceptUploads(app: FastifyInstance): void {
  // The parser of the library reads the raw request itself.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  app.addHook('preValidation', async (request, reply) => {
    if (request.headers['content-type']?.toLowerCase().startsWith('multipart/form-data') !== true) return;
    if (request.routeOptions.url !== '/graphql' || request.method !== 'POST')
      throw new HttpFault(415, 'Uploads go to POST /graphql.');
    requirePreflight(request);
    bound(request, reply);
    freeSocketAfterwards(request, reply);
    request.body = await parse(request, reply);
  });
}

function requirePreflight({ headers }: FastifyRequest): void {
  if (headers['apollo-require-preflight'] || headers['x-apollo-operation-name']) return;
  throw new HttpFault(400, 'A multipart request needs the header `apollo-require-preflight: true` (CSRF prevention).');
}

/** Fastify's own limit does not reach a body that it does not parse. */
function bound(request: FastifyRequest, reply: FastifyReply): void {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge();
  let bytes = 0;
  request.raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) request.raw.destroy();
  });
  // Paused again: whoever parses decides when to read.
  request.raw.pause();
  const timer = setTimeout(() => {
    if (!request.raw.complete) request.raw.destroy();
  }, UPLOAD_LIMITS.deadlineMs);
  reply.raw.once('close', () => clearTimeout(timer));
}

/** A file that no resolver read would hold up the next request of a kept-alive connection. */
function freeSocketAfterwards(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    request.raw.unpipe();
    request.raw.resume();
  });
}

async function parse(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  try {
    return await processRequest(request.raw, reply.raw, {
      maxFieldSize: 64_000,
      // One more than allowed: the parser marks a file of exactly its limit as truncated. `UploadedFile` holds the limit.
      maxFileSize: UPLOAD_LIMITS.bytes + 1,
      maxFiles: 2,
    });
  } catch (error) {
    throw uploadFault(error);
  }
}

/** The library's messages speak of the form's structure, never of its values; anything else is told in our words. */
function uploadFault(error: unknown): HttpFault {
  const { status, expose, message } = error as { status?: number; expose?: boolean; message?: string };
  if (status === 413) return tooLarge();
  if (expose === true && status === 400 && message !== undefined) return new HttpFault(400, message);
  return new HttpFault(400, 'The multipart request is malformed or ended early.');
}

function tooLarge(): HttpFault {
  return new HttpFault(413, `Too large: at most 2 files of ${UPLOAD_LIMITS.bytes.toLocaleString('en')} bytes each.`);
}
