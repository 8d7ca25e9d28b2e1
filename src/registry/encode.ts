import type { Caller } from './caller';
import type { AnyEndpoint, WireInput } from './endpoint';
import { encodeForm } from './multipart';
import type { Outgoing } from './transport';

const answerLimit = 2_000_000;

/** Writes a question as an HTTP request, the way its endpoint carries input. */
export function encode(endpoint: AnyEndpoint, path: string, input: WireInput, caller: Caller): Outgoing {
  const { method, maxBytes = answerLimit } = endpoint;
  const headers: Record<string, string> = {
    authorization: `Bearer ${caller.bearer}`,
    accept: endpoint.opens === 'file' ? 'application/pdf, application/json' : 'application/json',
  };
  if (caller.sandbox) headers['x-sandbox'] = 'true';
  if (endpoint.carries === 'query') {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(input)) query.append(name, String(value));
    return { method, path: `${path}?${query}`, headers, body: null, maxBytes };
  }
  if (endpoint.carries === 'json') {
    headers['content-type'] = 'application/json';
    return { method, path, headers, body: JSON.stringify(input), maxBytes };
  }
  const form = encodeForm(input);
  headers['content-type'] = form.contentType;
  return { method, path, headers, body: form.body, maxBytes };
}
