import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { HttpError, writeRawError } from './http-error';

/** Rejects malformed requests that Node would reject with an empty page, or accept. */
export function rejectMalformedRequests(http: FastifyInstance): void {
  http.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    writeRawError(response, 417, 'The Expect header is not supported. Send `expect: 100-continue` or none.');
  });
  http.addHook('onRequest', (request, _reply, done) => {
    const { httpVersion, rawHeaders } = request.raw;
    // Two Hosts mean different servers to different readers.
    if (httpVersion !== '1.1' || countHosts(rawHeaders) === 1) done();
    else done(new HttpError(400, 'A request must have exactly one Host header.'));
  });
}

function countHosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
}
