import type { Caller } from '../caller';
import type { AnyEndpoint, WireInput } from '../endpoint/endpoint';
import type { HttpRequest } from '../transport/transport';
import { encodeMultipart } from './multipart-body';

const defaultMaxBytes = 2_000_000;

/** Writes a question as an HTTP request, the way its endpoint carries input. */
export function encodeRequest(endpoint: AnyEndpoint, path: string, input: WireInput, caller: Caller): HttpRequest {
  const { method, maxBytes = defaultMaxBytes } = endpoint;
  const headers: HttpRequest['headers'] = {
    authorization: `Bearer ${caller.bearer}`,
    accept: endpoint.envelope === 'file' ? 'application/pdf, application/json' : 'application/json',
    'accept-encoding': 'identity',
  };
  if (caller.sandbox) headers['x-sandbox'] = 'true';
  if (endpoint.encoding === 'query') {
    return { method, path: `${path}?${encodeQuery(input)}`, headers, body: null, maxBytes };
  }
  if (endpoint.encoding === 'json') {
    headers['content-type'] = 'application/json';
    return { method, path, headers, body: JSON.stringify(input), maxBytes };
  }
  const form = encodeMultipart(input);
  headers['content-type'] = form.contentType;
  return { method, path, headers, body: form.body, maxBytes };
}

/** What stands in a query as it is; nearly every input of ours does. */
const plain = /^[\w.*-]*$/;

/** A query as URLSearchParams writes it, which is asked only where there is something to escape. */
export function encodeQuery(input: WireInput): string {
  let query = '';
  for (const name in input) {
    const value = String(input[name]);
    const pair = plain.test(value) && plain.test(name) ? `${name}=${value}` : `${new URLSearchParams([[name, value]])}`;
    query = query === '' ? pair : `${query}&${pair}`;
  }
  return query;
}
