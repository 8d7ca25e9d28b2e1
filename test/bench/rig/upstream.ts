import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Recorded, recordKey } from './recorded';
import type { Model } from './recording';
import type { SlowPath } from './slow-path';

/** The service of the bench, in a separate process. It returns recorded answers after a delay and counts the calls. */
interface Played extends Omit<Recorded, 'body'> {
  readonly body: Buffer;
}

const answers = new Map<string, Played>();
/** Requests as they were written, so that their key is worked out once. */
const byWriting = new Map<string, Played>();
const maxWritings = 50_000;
let latencyMs = 0;
let slow: SlowPath | null = null;
let model: Model | null = null;
let calls = 0;
let unknown = 0;

function find(method: string, url: string, body: string): Played | undefined {
  const writing = `${method} ${url} ${body}`;
  const cached = byWriting.get(writing);
  if (cached !== undefined) return cached;
  const answer = answers.get(recordKey(method, url, body));
  if (answer !== undefined && byWriting.size < maxWritings) byWriting.set(writing, answer);
  return answer ?? findInvented(url);
}

/** Returns the answer of the model about another person, if there is a model. */
function findInvented(url: string): Played | undefined {
  const asked = /\/buscar-credito\?nss=(\d+)$/.exec(url)?.[1];
  if (model === null || asked === undefined) return undefined;
  const body = Buffer.from(model.answer.body.replaceAll(model.nss, asked.padStart(11, '0')));
  return { ...model.answer, body, headers: { ...model.answer.headers, 'content-length': String(body.length) } };
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => {
    const answer = find(request.method ?? '', request.url ?? '', body);
    calls += 1;
    if (answer === undefined) unknown += 1;
    const send = (): void => {
      response.writeHead(answer?.status ?? 599, answer?.headers);
      response.end(answer?.body);
    };
    const isSlow = slow !== null && (request.url ?? '').split('?')[0]?.endsWith(slow.path);
    const ms = isSlow ? (slow?.ms ?? 0) : latencyMs;
    if (ms === 0) send();
    else setTimeout(send, ms);
  });
});
server.keepAliveTimeout = 120_000;
server.listen({ port: 0, host: '127.0.0.1', backlog: 8_192 });

interface Message {
  readonly id: number;
  readonly answers?: readonly (readonly [key: string, answer: Recorded])[];
  readonly latencyMs?: number;
  /** If it is set, every person whose credit is not recorded has that of the model. */
  readonly model?: Model;
  /** The slow path, or null. */
  readonly slow?: SlowPath | null;
}

process.on('message', (message: Message) => {
  for (const [key, answer] of message.answers ?? []) {
    const body = Buffer.from(answer.body);
    answers.set(key, { ...answer, body, headers: { ...answer.headers, 'content-length': String(body.length) } });
  }
  latencyMs = message.latencyMs ?? latencyMs;
  model = message.model ?? model;
  if (message.slow !== undefined) slow = message.slow;
  const reply = (): void => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ id: message.id, url: `http://127.0.0.1:${port}`, calls, unknown });
  };
  if (server.listening) reply();
  else server.once('listening', reply);
});
