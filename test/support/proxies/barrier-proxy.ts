import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { startServer } from '../start-server';

/** A proxy that forwards nothing until a number of requests are waiting. It shows which requests are sent concurrently. */
export interface BarrierProxy {
  /** Sets where requests are forwarded to, and returns the proxy's own address. */
  setTarget(target: string): string;
  /** Requests that have arrived, in order, forwarded or not. */
  readonly arrived: readonly string[];
  close(): Promise<void>;
}

/**
 * Forwards a wave once as many requests wait as it is large, then the next; after the last wave it forwards at once. A client
 * that sends one after the other where one wave is expected waits for ever.
 */
export async function startBarrierProxy(...waves: readonly number[]): Promise<BarrierProxy> {
  const arrived: string[] = [];
  const waiting: (() => void)[] = [];
  let wave = 0;
  let target = '';
  const { url, close } = await startServer((incoming, outgoing) => {
    arrived.push(`${incoming.method} ${incoming.url?.split('?')[0]}`);
    waiting.push(() => forward(target, incoming, outgoing));
    if (waiting.length < (waves[wave] ?? 0)) return;
    wave += 1;
    for (const release of waiting.splice(0)) release();
  });
  return {
    setTarget: (address) => {
      target = address;
      return url;
    },
    arrived,
    close,
  };
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers, url } = incoming;
  const forwarded = request(`${target}${url}`, { ...(method ? { method } : {}), headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  incoming.pipe(forwarded);
}
