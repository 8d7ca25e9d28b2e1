import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that lets nobody through until so many requests stand before it at once: it shows what is asked together, and what waits for what. */
export interface Gate {
  /** Sets where it leads, and tells its own address. */
  leadTo(target: string): string;
  /** Requests that have arrived, in order, let through or not. */
  readonly arrived: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens when so many requests are waiting, then for the next wave; after the last it stays open. Who asks one after the other
 * where one wave is expected waits for ever.
 */
export async function startGate(...waves: readonly number[]): Promise<Gate> {
  const arrived: string[] = [];
  const waiting: (() => void)[] = [];
  let wave = 0;
  let target = '';
  const server = createServer((incoming, outgoing) => {
    arrived.push(`${incoming.method} ${incoming.url?.split('?')[0]}`);
    waiting.push(() => forward(target, incoming, outgoing));
    if (waiting.length < (waves[wave] ?? 0)) return;
    wave += 1;
    for (const pass of waiting.splice(0)) pass();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    leadTo: (address) => {
      target = address;
      return url;
    },
    arrived,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers, url } = incoming;
  const onward = request(`${target}${url}`, { ...(method ? { method } : {}), headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}
