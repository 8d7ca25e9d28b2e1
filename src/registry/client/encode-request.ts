import { randomBytes } from 'node:crypto';
import type { Caller } from '../caller';
import type { AnyEndpoint, FilePart, WireInput } from '../endpoint/endpoint';
import type { HttpRequest } from '../transport/transport';

const defaultMaxBytes = 2_000_000;

/** Returns the HTTP request of a question. */
export function encodeRequest(
  endpoint: AnyEndpoint,
  path: string,
  input: WireInput,
  caller: Caller,
  sandboxDelayMs?: number,
): HttpRequest {
  const { method, maxBytes = defaultMaxBytes } = endpoint;
  const headers: HttpRequest['headers'] = {
    authorization: `Bearer ${caller.bearer}`,
    accept: endpoint.envelope === 'file' ? 'application/pdf, application/json' : 'application/json',
    'accept-encoding': 'identity',
  };
  if (caller.sandbox) headers['x-sandbox'] = 'true';
  if (sandboxDelayMs !== undefined) headers['x-sandbox-delay'] = String(sandboxDelayMs);
  if (endpoint.encoding === 'query') {
    const query = new URLSearchParams(
      Object.entries(input).map(([name, value]): [string, string] => [name, `${value}`]),
    );
    return { method, path: `${path}?${query}`, headers, body: null, maxBytes };
  }
  if (endpoint.encoding === 'json') {
    headers['content-type'] = 'application/json';
    return { method, path, headers, body: JSON.stringify(input), maxBytes };
  }
  const { contentType, body } = encodeMultipart(input);
  headers['content-type'] = contentType;
  headers['content-length'] = String(body.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  return { method, path, headers, body, maxBytes };
}

/** Encodes a form in pieces, which borrow its files: FormData or one buffer of the whole form would be a copy of the key. */
function encodeMultipart(input: WireInput): {
  readonly contentType: string;
  readonly body: readonly (string | Buffer)[];
} {
  const boundary = `padron-${randomBytes(18).toString('base64url')}`;
  const body: (string | Buffer)[] = [];
  let text = '';
  for (const [name, value] of Object.entries(input)) {
    text += `--${boundary}\r\n${partHeader(name, value)}\r\n\r\n`;
    if (isFile(value)) {
      body.push(text, value.bytes);
      text = '';
    } else text += value;
    text += '\r\n';
  }
  body.push(`${text}--${boundary}--\r\n`);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}

function partHeader(name: string, value: WireInput[string]): string {
  const disposition = `content-disposition: form-data; name="${name}"`;
  if (!isFile(value)) return disposition;
  return `${disposition}; filename="${value.filename}"\r\ncontent-type: application/octet-stream`;
}

function isFile(value: WireInput[string]): value is FilePart {
  return typeof value === 'object';
}
