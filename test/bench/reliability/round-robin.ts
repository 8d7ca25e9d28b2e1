import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A plain balancer: each request goes to the next server in turn, whatever it is about. */
export interface RoundRobin {
  readonly url: string;
  /** Sets who takes part from now on. */
  setServers(servers: readonly string[]): void;
  close(): Promise<void>;
}

export async function startRoundRobin(): Promise<RoundRobin> {
  let servers: readonly string[] = [];
  let turn = 0;
  const balancer = createServer((incoming, outgoing) => {
    const server = servers[turn % servers.length];
    turn += 1;
    if (server === undefined) outgoing.writeHead(502).end();
    else forward(server, incoming, outgoing);
  });
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    setServers: (next) => {
      servers = next;
    },
    close: () =>
      new Promise((resolve) => {
        balancer.close(() => resolve());
        balancer.closeAllConnections();
      }),
  };
}

/** Repeats nothing: a server that breaks off is a 502, and a client that leaves is left. */
function forward(server: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method = 'GET', url, headers } = incoming;
  const forwarded = request(`${server}${url}`, { method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => outgoing.destroy());
    answer.pipe(outgoing);
  });
  forwarded.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end();
  });
  outgoing.on('close', () => forwarded.destroy());
  incoming.pipe(forwarded);
}
