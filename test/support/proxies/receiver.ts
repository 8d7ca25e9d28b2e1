import type { IncomingHttpHeaders } from 'node:http';
import { startServer } from '../start-server';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver. `respond` returns the status of a response, or null to leave the request open. */
export async function startReceiver(respond: (count: number) => number | null, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const { url, close } = await startServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
    const status = respond(received.length);
    if (status !== null) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  }, port);
  return {
    url,
    received,
    until: async (count) => {
      while (received.length < count) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    close,
  };
}
