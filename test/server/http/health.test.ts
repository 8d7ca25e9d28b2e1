import { once } from 'node:events';
import { connect } from 'node:net';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { send } from '../../support/requests/http';
import { card } from '../../support/sandbox/cards';

const slowQuery = `{ person(nss: "${card('slow', 'nss')}") { credit { outcome } } }`;

describe('health', () => {
  const padron = padronForTests();

  it.each([
    ['live', { status: 'ok' }],
    ['ready', { status: 'ok', service: 'remote' }],
  ])('reports that the process is %s, without a token or a call', async (kind, expected) => {
    const { status, text, headers } = await send(padron.url.replace('graphql', `health/${kind}`));
    expect([status, JSON.parse(text)]).toEqual([200, expected]);
    expect(headers).not.toHaveProperty('x-registry-service');
    expect(padron.calls()).toEqual([]);
  });
});

describe('a stop', () => {
  it('does not wait for a request whose body does not arrive', async () => {
    const padron = await runPadron();
    const { socket, closed } = await announce(padron, 100);
    await padron.stop();
    await closed;
    expect(socket.destroyed).toBe(true);
  });

  it('rejects a request whose body arrives after it began', async () => {
    const padron = await runPadron();
    const body = JSON.stringify({ query: slowQuery });
    const { socket, received, closed } = await announce(padron, body.length);
    const slow = padron.ask(slowQuery);
    await underWay(padron);
    const stopped = padron.stop();
    socket.write(body);
    await Promise.all([closed, slow, stopped]);
    expect(received()).toMatch(/HTTP\/1\.1 503 [\s\S]*SHUTTING_DOWN/);
    expect(padron.calls()).toHaveLength(1);
  });

  /** Sends the head of a request, and waits until the server has read it: it says that the body may come. */
  async function announce({ url }: RunningPadron, length: number) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const head = `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${length}`;
    socket.write(`${head}\r\nexpect: 100-continue\r\n\r\n`);
    await once(socket, 'data');
    return { socket, closed, received: () => text };
  }

  async function underWay({ callsInFull }: RunningPadron): Promise<void> {
    while (callsInFull().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
});
