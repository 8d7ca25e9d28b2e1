import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { TODAY } from '../../support/keys/signatures';
import { runPadron } from '../../support/padrons/padron';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { slowness } from '../../support/processor-time';
import { startMeasured } from '../load/measured-padron';
import { bodyAttacks } from './attack-bodies';
import { documentAttacks } from './attack-documents';
import { requestAttacks } from './attack-requests';
import { uploadAttacks } from './attack-uploads';
import { measureWork, workAttacks } from './attack-work';
import { complaintsOf, type Probe, tryProbes } from './probe';

const padron = padronForTests({ now: () => TODAY });

const byName = (probes: readonly Probe[]) => probes.map((probe) => [probe.name, probe] as const);

describe.each([
  ['document', documentAttacks],
  ['body', bodyAttacks],
  ['request', requestAttacks],
  ['form', uploadAttacks],
  ['piece of work', workAttacks],
])('a hostile %s', (_what, probes) => {
  it.each(byName(probes))('is answered without an internal error: %s', async (_name, probe) => {
    expect(await tryProbes(padron, [probe])).toEqual([{ probe: probe.name, complaints: [] }]);
  });
});

describe('a small request that needs much work', () => {
  it('takes at most a second of processor time', async () => {
    const measuredPadron = await startMeasured();
    const measured = await measureWork(measuredPadron);
    await measuredPadron.end();
    const limit = slowness();
    const expensive = measured.filter(({ seconds }) => seconds > limit);
    expect(expensive.map(({ probe, seconds }) => `${probe.name}: ${seconds}`)).toEqual([]);
    expect(measured).toHaveLength(workAttacks.length);
  });
});

describe('a probe', () => {
  it('complains about a wrong answer', () => {
    const page = { status: 502, headers: { 'content-type': 'text/html' }, text: '<html>at a.js:1:1' };
    const probe = { name: '', code: null, send: async () => page };
    expect(complaintsOf(probe, page)).toHaveLength(4);
  });
});

describe('idle connections', () => {
  const crowd = 300;

  async function opened(url: string, bytes: string): Promise<readonly Socket[]> {
    const port = Number(new URL(url).port);
    const sockets = Array.from({ length: crowd }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write(bytes);
    return sockets;
  }

  it.each([
    ['send nothing', ''],
    ['stop in the headers', 'POST /graphql HTTP/1.1\r\nhost: a\r\nx-slow: '],
    [
      'stop in the body',
      'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{',
    ],
  ])('do not delay other requests, and are closed when padron stops: %s', async (_what, bytes) => {
    const own = await runPadron();
    const sockets = await opened(own.url, bytes);
    const closed = Promise.all(sockets.map((socket) => (socket.closed ? null : once(socket.resume(), 'close'))));
    expect((await own.ask('{ __typename }')).data).toEqual({ __typename: 'Query' });
    await own.stop();
    await closed;
    expect(sockets.every((socket) => socket.destroyed)).toBe(true);
  });
});
