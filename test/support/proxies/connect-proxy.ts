import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A request as the proxy saw it: one line of its log. */
export interface ProxiedRequest {
  readonly line: string;
  readonly authorization: string | null;
  readonly status: number | null;
}

export interface ConnectProxy {
  /** URL with the credentials. */
  readonly url: string;
  readonly host: string;
  readonly log: readonly ProxiedRequest[];
  /** Answers each CONNECT, or those to one target, with this response from now on. */
  answer(response: string, target?: string): void;
  /** Destroys the open tunnels. */
  cut(): void;
  reset(): void;
  close(): Promise<void>;
}

/** User and password of the proxy. They have characters that a URL encodes. */
export const PROXY_PASSWORD = 'p@ss:wörd/1%';
export const credentials = `user:${PROXY_PASSWORD}`;
export const encodedCredentials = `user:${encodeURIComponent(PROXY_PASSWORD)}`;

/** Starts a proxy with a password, which only opens tunnels. `targets` has the address of each name that it can resolve, as `registry.example:443`. */
export async function startConnectProxy(targets: Readonly<Record<string, string>>): Promise<ConnectProxy> {
  const log: ProxiedRequest[] = [];
  const sockets = new Set<Socket>();
  let refused: { readonly response: string; readonly target: string | undefined } | null = null;
  const expected = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const record = ({ method, url, httpVersion, headers }: IncomingMessage, status: number | null): void => {
    const authorization = headers['proxy-authorization'] ?? null;
    log.push({ line: `${method} ${url} HTTP/${httpVersion}`, authorization, status });
  };
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const server = createServer((request, answer) => {
    record(request, 200);
    answer.end('{"success":true,"status":200,"data":[]}');
  });
  server.on('connection', keep);
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    const target = targets[request.url ?? ''];
    const isKnown = request.headers['proxy-authorization'] === expected;
    const stated = (refused?.target ?? request.url) === request.url ? (refused?.response ?? null) : null;
    const refusal =
      stated ?? (isKnown ? (target === undefined ? '502 Bad Gateway' : null) : '407 Proxy Authentication Required');
    record(request, refusal === null ? 200 : Number.parseInt(refusal, 10));
    if (refusal === '') return;
    if (refusal !== null || target === undefined) {
      client.end(`HTTP/1.1 ${refusal}${refusal?.includes('\r\n') ? '' : '\r\ncontent-length: 0\r\n\r\n'}`);
      return;
    }
    const { hostname, port } = new URL(target);
    const upstream = keep(connect(Number(port), hostname));
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://${encodedCredentials}@${host}`,
    host,
    log,
    answer: (response, target) => {
      refused = { response, target };
    },
    cut,
    reset: () => {
      log.length = 0;
      refused = null;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
