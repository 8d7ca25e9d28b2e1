import { isAscii, isUtf8 } from 'node:buffer';
import { MIMEType, TextDecoder } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error';

/** Reads JSON by the charset of its content type, which is UTF-8 unless the client names another one. Rejects compressed bodies of any type. */
export function readJsonBodies(http: FastifyInstance): void {
  http.addHook('preParsing', async ({ headers }) => {
    const codings = (headers['content-encoding'] ?? '').split(',').map((coding) => coding.trim().toLowerCase());
    if (codings.some((coding) => coding !== '' && coding !== 'identity')) throw new HttpError(415, compressed);
  });
  const parse = http.getDefaultJsonParser('error', 'error');
  http.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Clients name a content type in each request, also in one without a body.
    if (request.method === 'DELETE' && body.length === 0) return done(null);
    try {
      const text = decodeText(body, charsetOf(request.headers['content-type']));
      parse(request, text, (error, value) =>
        done(error && isJson(text) ? new HttpError(400, prototypeName) : error, value),
      );
    } catch (error) {
      done(error as HttpError);
    }
  });
}

/** Decodes a text. Throws if its bytes are not text of the charset, because a replaced letter would ask about another person. */
function decodeText(bytes: Buffer, charset: string): string {
  const decoder = decoderOf(charset);
  // Bytes beyond ASCII that are UTF-8 by chance are rare: the client has named the wrong charset.
  const isMislabelled = decoder.encoding !== 'utf-8' && isUtf8(bytes) && !isAscii(bytes);
  try {
    // Without `stream`, Node 20 decodes Windows-1252 as Latin-1.
    if (!isMislabelled) return decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch {
    // The same error as for a wrong charset.
  }
  const name = isMislabelled ? 'of the charset in its content type' : decoder.encoding.toUpperCase();
  throw new HttpError(400, `The request body is not ${name}. Send UTF-8, or name its charset in the content type.`);
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new HttpError(415, 'The charset of the content type is unknown. Send UTF-8.');
  }
}

function charsetOf(contentType = ''): string {
  try {
    return new MIMEType(contentType).params.get('charset') ?? 'utf-8';
  } catch {
    throw new HttpError(415, 'The content type is malformed. Send application/json.');
  }
}

/** Whether a text that Fastify's parser rejects is JSON: then it has a name that may change the objects of a program. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const compressed =
  'The header `content-encoding` names a compression, and padron reads uncompressed bodies only. Turn off the compression of requests to padron.';
const prototypeName =
  'The request body has a member named `__proto__`, or a member `constructor` with a `prototype`. Rename it.';
