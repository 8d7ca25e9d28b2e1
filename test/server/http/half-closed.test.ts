import { once } from 'node:events';
import { connect } from 'node:net';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { proxiedPadronForEachTest } from '../../support/padrons/padron-for-tests';
import { holdResponses } from '../../support/proxies/held-responses';
import { indebted } from '../../support/requests/credit-request';

const padron = proxiedPadronForEachTest();

/** Sends a request, shuts down the sending side when `sent` resolves, and returns the whole response. */
async function sendAndShutDown(query: string, sent: () => Promise<unknown> = async () => undefined): Promise<string> {
  const { port, hostname } = new URL(padron.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const body = JSON.stringify({ query });
  const headers = `host: ${hostname}\r\ncontent-type: application/json\r\nauthorization: Bearer ${SANDBOX_TOKEN}`;
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  socket.write(`POST /graphql HTTP/1.1\r\n${headers}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  await sent();
  socket.end();
  await once(socket, 'end');
  return text;
}

const credit = `{ person(nss: "${indebted[0]}") { credit { outcome problems { code } } } }`;

describe('a client that has shut down its sending side', () => {
  it('gets its answer if every call is under way', async () => {
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const answer = sendAndShutDown(credit, async () => {
      await held.arrived(1);
      setTimeout(() => held.release(), 200);
    });
    expect(await answer).toContain('"outcome":"FOUND"');
    expect(padron.spent()).toBe(1);
  });

  it('gets an answer that pays for nothing if no call is under way', async () => {
    expect(await sendAndShutDown('{ __typename }')).toContain('"__typename":"Query"');
    const text = await sendAndShutDown(credit);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text.includes('CALLER_GONE') ? padron.spent() : 0).toBe(0);
  });
});
