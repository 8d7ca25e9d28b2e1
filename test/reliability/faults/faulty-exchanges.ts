import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { INTERNALS } from '../../support/proxies/broken-transport';
import type { RelayedAnswer, Tamper } from '../../support/proxies/tampering-proxy';
import { type Fault, found, limited, overdue, unreachable, unusable } from './fault';

/** Writes an answer directly to the socket. */
function raw(write: (answer: RelayedAnswer, response: ServerResponse) => void): Tamper {
  return (answer) => (response) => write(answer, response);
}

/** Returns an answer as bytes of HTTP. */
function wire({ status, headers, bytes }: RelayedAnswer, extra: readonly string[] = [], version = '1.1'): Buffer {
  const kept = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/${version} ${status} OK`, ...kept, ...extra];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

const length = ({ bytes }: RelayedAnswer): string => `content-length: ${bytes.length}`;

/** Makes a fault that encodes the answer although the request accepts no encoding. */
function encoded(encoding: string, encode: (bytes: Buffer) => Buffer, report = unusable): Fault {
  return {
    name: `sends its answer as ${encoding}`,
    allowedReports: [report],
    tamper: ({ bytes }) => ({ bytes: encode(bytes), headers: { 'content-encoding': encoding } }),
  };
}

const compressed: readonly Fault[] = [
  encoded('gzip', (bytes) => gzipSync(bytes), found),
  encoded('deflate', (bytes) => deflateSync(bytes)),
  encoded('br', (bytes) => brotliCompressSync(bytes)),
  encoded('x-secret', (bytes) => bytes, found),
];

const strangeConnections: readonly Fault[] = [
  {
    name: 'is slow',
    allowedReports: [found],
    tamper: async () => {
      await sleep(150);
      return null;
    },
  },
  {
    name: 'sends 103 before its answer',
    allowedReports: [found],
    tamper: (answer) => (response) => {
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      response.writeHead(answer.status, answer.headers).end(answer.bytes);
    },
  },
  {
    name: 'switches to another protocol',
    allowedReports: [unusable, unreachable],
    tamper: raw((_answer, { socket }) => {
      socket?.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n');
    }),
  },
  {
    name: 'answers in HTTP/1.0 and closes',
    allowedReports: [found],
    tamper: raw((answer, { socket }) => void socket?.end(wire(answer, [], '1.0'))),
  },
  {
    name: 'closes a connection that it announced to keep',
    allowedReports: [found],
    tamper: raw((answer, { socket }) => {
      socket?.end(wire(answer, [length(answer), 'connection: keep-alive', 'keep-alive: timeout=60']));
    }),
  },
  {
    name: 'resets a connection that it announced to keep',
    // A reset discards bytes that were received and not read yet.
    allowedReports: [found, unreachable],
    tamper: raw((answer, { socket }) => {
      const kept = wire(answer, [length(answer), 'connection: keep-alive', 'keep-alive: timeout=60']);
      socket?.write(kept, () => socket.resetAndDestroy());
    }),
  },
  {
    name: 'answers twice',
    allowedReports: [found],
    tamper: raw((answer, { socket }) => {
      const once = wire(answer, [length(answer)]);
      socket?.write(Buffer.concat([once, once]));
    }),
  },
  {
    name: 'sends bytes after its answer',
    allowedReports: [found],
    tamper: raw((answer, { socket }) => {
      socket?.write(Buffer.concat([wire(answer, [length(answer)]), Buffer.from(INTERNALS)]));
    }),
  },
  {
    name: 'sends its body in many small chunks',
    allowedReports: [found],
    tamper: (answer) => (response) => {
      response.writeHead(answer.status, answer.headers);
      for (let offset = 0; offset < answer.bytes.length; offset += Math.ceil(answer.bytes.length / 200)) {
        response.write(answer.bytes.subarray(offset, offset + Math.ceil(answer.bytes.length / 200)));
      }
      response.end();
    },
  },
  {
    name: 'sends a hundred headers',
    allowedReports: [found],
    tamper: () => ({ headers: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x-${i}`, INTERNALS])) }),
  },
  {
    name: 'sends too many headers',
    allowedReports: [unusable],
    tamper: () => ({
      headers: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x-${i}`, INTERNALS.repeat(9)])),
    }),
  },
];

const rateLimit = (headers: Readonly<Record<string, string>>) => ({
  status: 429,
  headers,
  json: { success: false, status: 429, message: 'Demasiadas peticiones.' },
});

const rateLimits: readonly Fault[] = [
  {
    name: 'limits the rate for a day',
    allowedReports: [limited],
    tamper: () => null,
    standIn: () => rateLimit({ 'retry-after': '86400' }),
  },
  {
    name: 'limits the rate and does not say for how long',
    allowedReports: [limited],
    tamper: () => null,
    standIn: () => rateLimit({}),
  },
  {
    name: 'limits the rate for a second',
    allowedReports: [found],
    tamper: () => null,
    standIn: ({ arrivals }) => (arrivals === 1 ? rateLimit({ 'retry-after': '1' }) : null),
    calls: 2,
  },
];

/** Makes every kind of redirect to a server. */
export function redirectsTo(trap: string): readonly Fault[] {
  return [301, 302, 303, 307, 308].map((status) => ({
    name: `redirects by ${status}`,
    allowedReports: [unusable],
    tamper: (_answer, { path }) => ({ status, headers: { location: `${trap}${path}` }, json: {} }),
  }));
}

/** Faults that only the deadline ends. */
export const hangs: readonly Fault[] = [
  {
    name: 'hangs in its headers',
    allowedReports: [overdue],
    tamper: raw((_answer, { socket }) => void socket?.write('HTTP/1.1 200 OK\r\ncontent-')),
  },
  {
    name: 'sends headers endlessly',
    allowedReports: [overdue],
    tamper: raw((_answer, { socket }) => {
      socket?.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket?.write('x-drip: 1\r\n'), 20);
      socket?.once('close', () => clearInterval(timer));
    }),
  },
  {
    name: 'hangs before the end of a whole body',
    allowedReports: [overdue],
    tamper: (answer) => (response) => void response.writeHead(200, answer.headers).write(answer.bytes),
  },
];

export const faultyExchanges: readonly Fault[] = [...compressed, ...strangeConnections, ...rateLimits];
