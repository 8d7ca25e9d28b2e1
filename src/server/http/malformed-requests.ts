import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { HttpFault, writeRefusal } from './http-error';

/** What Node refuses by itself with an empty page, or lets pass: here it is refused as everything else is. */
export function refuseUnusualRequests(http: FastifyInstance): void {
  http.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    writeRefusal(response, 417, 'Nothing but `expect: 100-continue` is expected here.');
  });
  http.addHook('onRequest', (request, _reply, done) => {
    const { httpVersion, rawHeaders } = request.raw;
    // Two Hosts mean different servers to different readers.
    if (httpVersion !== '1.1' || hostsIn(rawHeaders) === 1) done();
    else done(new HttpFault(400, 'A request needs one Host header.'));
  });
}

function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}
