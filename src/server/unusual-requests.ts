import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { HttpFault, writeRefusal } from './faults';

/** What Node refuses by itself with an empty page, or lets pass: here it is refused as everything else is. */
export function refuseUnusualRequests(http: FastifyInstance): void {
  http.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    writeRefusal(response, 417, 'Nothing but `expect: 100-continue` is expected here.');
  });
  http.addHook('onRequest', async ({ raw }) => {
    // Two Hosts mean different servers to different readers.
    if (raw.httpVersion === '1.1' && hostsIn(raw.rawHeaders) !== 1)
      throw new HttpFault(400, 'A request needs one Host header.');
  });
}

function hostsIn(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
}
