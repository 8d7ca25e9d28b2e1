import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { people } from '../../src/sandbox/data/people';
import { type Sandbox, startSandbox } from '../../src/sandbox/service';
import { DATA_KEY, giveBudget } from '../support/budgets';
import { engineRig, engines } from '../support/engines';
import { keptPadron } from '../support/ledger';
import { post } from '../support/padron';
import { startProcess } from '../support/process';

const query = 'query Budget($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';

/** Takes alerts, and answers them once it is told to: until then whoever sends one waits. */
async function startReceiver() {
  const bodies: { readonly id: string; readonly percent: number }[] = [];
  let answers = false;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => {
      body += bytes;
    });
    request.on('end', () => {
      bodies.push(JSON.parse(body));
      if (answers) response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    bodies,
    answer: () => {
      answers = true;
    },
    until: async (count: number) => {
      while (bodies.length < count) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.each(engines)('alerts of a process that was killed, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  let service: Sandbox;
  beforeEach(async () => {
    service = await startSandbox();
  });
  afterEach(() => service.close());

  it('are sent by the next one, and once they are taken no more', async () => {
    const receiver = await startReceiver();
    const kept = await keptPadron(rig, { DATA_KEYS: DATA_KEY, ALERT_URL: receiver.url });
    await giveBudget(kept, service.url, { units: 2, alertsAt: [50] });
    const killed = startProcess({ ...kept.environment, PORT: '0', REGISTRY_URL: service.url });
    await post(await killed.address(), { query, variables: { nss: people[0]?.nss } });
    await receiver.until(1);
    killed.child.kill('SIGKILL');
    await killed.ended();
    // As if the time of all its attempts had passed.
    const age = "UPDATE ledger_alerts SET claimed_at = claimed_at - interval '11 minutes' RETURNING delivered_at";
    expect(await kept.read((store) => store.query(age))).toEqual([{ delivered_at: null }]);
    receiver.answer();
    const next = await kept.start({ registryUrl: () => service.url });
    await receiver.until(2);
    await next.stop();
    receiver.close();
    const [first, again, ...more] = receiver.bodies;
    expect([again?.id, again?.percent, more]).toEqual([first?.id, 50, []]);
    const rows = await kept.read((store) => store.query('SELECT delivered_at FROM ledger_alerts'));
    expect(rows).toEqual([{ delivered_at: expect.anything() }]);
  }, 60_000);

  it('are told with the next call where it was killed before it had noted them', async () => {
    const receiver = await startReceiver();
    receiver.answer();
    const kept = await keptPadron(rig, { DATA_KEYS: DATA_KEY, ALERT_URL: receiver.url });
    await giveBudget(kept, service.url, { units: 4, alertsAt: [50] });
    const killed = startProcess({ ...kept.environment, PORT: '0', REGISTRY_URL: service.url });
    const url = await killed.address();
    for (const { nss } of people.slice(0, 2)) await post(url, { query, variables: { nss } });
    await receiver.until(1);
    killed.child.kill('SIGKILL');
    await killed.ended();
    // As if it had been a moment earlier.
    await kept.read((store) => store.query('DELETE FROM ledger_alerts'));
    const next = await kept.start({ registryUrl: () => service.url });
    await next.ask(query, { nss: people[2]?.nss });
    await receiver.until(2);
    await next.stop();
    receiver.close();
    expect(receiver.bodies.map(({ percent }) => percent)).toEqual([50, 50]);
    expect(receiver.bodies[1]?.id).toBe(receiver.bodies[0]?.id);
  }, 60_000);
});
