import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedAlert {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Starts a server that records alerts. `respond` returns the status of a response, or null to leave the request open. */
export async function startAlertReceiver(respond: (count: number) => number | null, port = 0) {
  const received: ReceivedAlert[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => {
      body += bytes;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      const status = respond(received.length);
      if (status !== null) response.writeHead(status).end();
    });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    until: async (count: number) => {
      while (received.length < count) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
