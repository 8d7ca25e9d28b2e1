import type { Caller } from '../caller';
import type { AnyEndpoint, WireInput } from '../endpoint/endpoint';
import type { HttpRequest } from '../transport/transport';
import { encodeMultipart } from './multipart-body';

const defaultMaxBytes = 2_000_000;

/** Encodes a question as an HTTP request, in the encoding of its endpoint. */
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
