import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { waitUntil } from '../../support/proxies/deferred';
import type { TamperingProxy } from '../../support/proxies/tampering-proxy';
import { json } from '../attacks/probe';

/** Maximum number of requests that have not reached the service yet. */
const ahead = 250;

/** Returns a request as bytes, because a client library would be too slow. Each has a different question. */
function request(index: number, perConnection: number): string {
  const body = JSON.stringify({ query: `{ professionalLicence(number: "${1_000_000 + index}") { outcome } }` });
  const last = index % perConnection === perConnection - 1;
  const headers = { host: 'padron', connection: last ? 'close' : 'keep-alive', 'content-length': body.length, ...json };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /graphql HTTP/1.1\r\n${head.join('')}\r\n${body}`;
}

/** Returns the responses to the requests of one connection. */
async function answersTo(port: number, first: number, perConnection: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.write(Array.from({ length: perConnection }, (_, index) => request(first + index, perConnection)).join(''));
  await once(socket, 'close');
  return text;
}

const nothing = JSON.stringify({ success: true, codigoValidacion: 'HELD', message: 'Éxito.', status: 200, data: [] });

/**
 * Sends requests while the service answers none, counts how many wait, then lets it answer, and counts the right answers. Several requests
 * share a connection, because a process has few sockets.
 */
export async function holdRequests(
  { url, proxy }: { readonly url: string; readonly proxy: TamperingProxy },
  count: number,
  perConnection: number,
) {
  const waiting: ServerResponse[] = [];
  const port = Number(new URL(url).port);
  const answers: Promise<string>[] = [];
  proxy.standIn(() => (response) => void waiting.push(response));
  for (let first = 0; first < count; first += perConnection) {
    answers.push(answersTo(port, first, perConnection));
    await waitUntil(() => waiting.length >= first - ahead);
  }
  await waitUntil(() => waiting.length >= count);
  const held = waiting.filter(({ destroyed }) => !destroyed).length;
  proxy.standIn(null);
  for (const response of waiting) response.setHeader('content-type', 'application/json').end(nothing);
  const texts = await Promise.all(answers);
  return { held, answered: texts.join('').split('{"outcome":"NOT_FOUND"}').length - 1 };
}
