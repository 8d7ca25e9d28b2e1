import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { HttpError, writeRawError } from './http-error';

/** Rejects malformed requests that Node would accept, or reject without a body. */
export function rejectMalformedRequests(http: FastifyInstance): void {
  http.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    writeRawError(response, 417, 'The Expect header is not supported. Send `expect: 100-continue` or none.');
  });
  http.addHook('onRequest', (request, _reply, done) => {
    const { httpVersion, rawHeaders } = request.raw;
    // Proxies and servers differ in which of two Host headers they use.
    if (httpVersion !== '1.1' || countHosts(rawHeaders) === 1) done();
    else done(new HttpError(400, 'A request must have exactly one Host header.'));
  });
}

function countHosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
}
