import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Misbehaviour } from './tampering-proxy';

/** Text in every broken answer, which clients must never see. */
export const INTERNALS = 'fallo-interno-7f3a';

/** A failure of the transport, and the problem that the client gets. The service may have charged after any of them. */
export interface TransportFault {
  readonly name: string;
  readonly code: 'REGISTRY_UNREACHABLE' | 'REGISTRY_TIMEOUT' | 'UNUSABLE_ANSWER';
  readonly play: Misbehaviour;
}

const json = { 'content-type': 'application/json' };
const start = `{"success":true,"message":"${INTERNALS}",`;

function written(text: string): Misbehaviour {
  return ({ socket }) => void socket?.end(text);
}

function head(...lines: readonly string[]): string {
  return ['HTTP/1.1 200 OK', 'content-type: application/json', ...lines, '', ''].join('\r\n');
}

function keepWriting(response: ServerResponse, chunk: string | Buffer, everyMs: number): void {
  response.writeHead(200, json);
  const timer = setInterval(() => response.write(chunk), everyMs);
  response.once('close', () => clearInterval(timer));
}

const megabyte = Buffer.alloc(1_000_000, 'x');

/** Returns 1 MB that expands to 1 GB. It is created when first needed. */
let bomb: Buffer | null = null;

function gzipBomb(): Buffer {
  bomb ??= Buffer.concat(Array<Buffer>(1_000).fill(gzipSync(megabyte)));
  return bomb;
}

/** Over at once, one way or the other. */
export const quickFaults: readonly TransportFault[] = [
  { name: 'closes before its headers', code: 'REGISTRY_UNREACHABLE', play: (response) => response.destroy() },
  {
    name: 'resets the connection before its headers',
    code: 'REGISTRY_UNREACHABLE',
    play: ({ socket }) => void socket?.resetAndDestroy(),
  },
  { name: 'closes within its headers', code: 'REGISTRY_UNREACHABLE', play: written('HTTP/1.1 200 OK\r\ncontent-') },
  { name: 'closes after its headers', code: 'REGISTRY_UNREACHABLE', play: written(head('content-length: 400')) },
  {
    name: 'closes in the middle of its body',
    code: 'REGISTRY_UNREACHABLE',
    play: written(head('content-length: 400') + start),
  },
  {
    name: 'closes in the middle of a chunked body',
    code: 'REGISTRY_UNREACHABLE',
    play: written(`${head('transfer-encoding: chunked')}80\r\n${start}`),
  },
  {
    name: 'announces a longer body than it sends',
    code: 'REGISTRY_UNREACHABLE',
    play: written(`${head('content-length: 40')}{"ok":true}`),
  },
  {
    name: 'announces a shorter body than it sends',
    code: 'UNUSABLE_ANSWER',
    play: written(`${head('content-length: 12')}${start}"data":{}}`),
  },
  { name: 'speaks no HTTP', code: 'UNUSABLE_ANSWER', play: written(`SSH-2.0-${INTERNALS}\r\n`) },
  {
    name: 'breaks off its chunks',
    code: 'UNUSABLE_ANSWER',
    play: written(`${head('transfer-encoding: chunked')}zz\r\n${start}`),
  },
  {
    name: 'tells two lengths',
    code: 'UNUSABLE_ANSWER',
    play: written(`${head('content-length: 2', 'transfer-encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`),
  },
  {
    name: 'has a header larger than any',
    code: 'UNUSABLE_ANSWER',
    play: written(`${head(`x-trace: ${INTERNALS.repeat(5_000)}`, 'content-length: 2')}{}`),
  },
  {
    name: 'announces a body beyond the limit',
    code: 'UNUSABLE_ANSWER',
    play: (response) => void response.writeHead(200, { ...json, 'content-length': 90_000_000 }).flushHeaders(),
  },
  {
    name: 'sends an oversized body without announcing it',
    code: 'UNUSABLE_ANSWER',
    play: (response) => {
      response.writeHead(200, json);
      for (let sent = 0; sent < 40; sent += 1) response.write(megabyte);
      response.end();
    },
  },
  { name: 'never ends its body', code: 'UNUSABLE_ANSWER', play: (response) => keepWriting(response, megabyte, 1) },
  {
    name: 'sends a gzip bomb that nobody asked for',
    code: 'UNUSABLE_ANSWER',
    play: (response) => {
      const bytes = gzipBomb();
      response.writeHead(200, { ...json, 'content-encoding': 'gzip', 'content-length': bytes.length }).end(bytes);
    },
  },
];

/** Only the deadline ends these. */
export const slowFaults: readonly TransportFault[] = [
  { name: 'hangs before its headers', code: 'REGISTRY_TIMEOUT', play: () => undefined },
  {
    name: 'hangs after its headers',
    code: 'REGISTRY_TIMEOUT',
    play: (response) => response.writeHead(200, { ...json, 'content-length': 400 }).flushHeaders(),
  },
  {
    name: 'hangs in the middle of its body',
    code: 'REGISTRY_TIMEOUT',
    play: (response) => void response.writeHead(200, { ...json, 'content-length': 400 }).write(start),
  },
  { name: 'drips its body', code: 'REGISTRY_TIMEOUT', play: (response) => keepWriting(response, ' ', 10) },
];
