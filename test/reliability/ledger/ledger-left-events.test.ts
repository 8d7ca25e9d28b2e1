import { setTimeout as sleep } from 'node:timers/promises';
import { people } from '../../../src/sandbox/data/people';
import { DATA_KEY, insertBudget } from '../../support/padrons/budgets';
import { preparePadron } from '../../support/padrons/ledger';
import { startEventReceiver } from '../../support/padrons/webhooks';
import { freePort } from '../../support/processes/free-port';
import { type PadronProcess, startProcess } from '../../support/processes/process';
import { waitUntil } from '../../support/proxies/deferred';
import { startProxy } from '../../support/proxies/tampering-proxy';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { scrapeMetrics, waitForMetric } from '../../support/requests/scrape-metrics';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../../support/stores/engines';

const query = 'query Budget($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code } } } }';

describe.each(engines)('events on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const service = sandboxForEachTest();

  it('are sent until they are accepted, and the log has the event and the reason of a failure', async () => {
    const port = await freePort();
    const silent = await startEventReceiver(() => null, port);
    await silent.close();
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY, ...silent.environment });
    const budget = await insertBudget(prepared, service.url, { units: 2, alertsAt: [50] });
    const padron = await prepared.start({ registryUrl: () => service.url });
    await padron.ask(query, { nss: people[0]?.nss });
    const failures = () => padron.log.filter((line) => line.includes('WEBHOOK_URL did not accept an event'));
    await waitUntil(() => failures().length >= 2, 30_000);
    expect(JSON.parse(failures()[0] ?? '')).toMatchObject({ type: 'budget.reached', reason: 'ECONNREFUSED' });
    expect((await scrapeMetrics(padron)).of('padron_events_total', { result: 'delivered' })).toBe(0);
    const again = await startEventReceiver(() => 204, port);
    const [event] = await again.untilEvents(1);
    await waitForMetric(padron, 'padron_events_total', failures().length + 1, 10);
    await padron.stop();
    await again.close();
    const data = { budget: budget?.id, percent: 50, units: 2, spentUnits: 1 };
    expect(event).toMatchObject({ id: JSON.parse(failures()[0] ?? '').event, data });
  }, 90_000);
});

describe('events of several processes', () => {
  const rig = engineRig('postgres');
  const service = sandboxForEachTest();

  it('are all delivered with their IDs in the order of each batch, over kills of processes and of PostgreSQL', async () => {
    // Every third request is not answered, so that kills meet deliveries.
    const receiver = await startEventReceiver((count) => (count % 3 === 0 ? null : count % 5 === 0 ? 500 : 204));
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY, ...receiver.environment });
    const start = async (): Promise<PadronProcess> => {
      const environment = { ...prepared.environment, PORT: '0', REGISTRY_URL: service.url, BATCH_TOKENS: 'sealed' };
      const padron = startProcess({ ...environment, DATA_DIR: rig.folder() });
      rig.atEnd(async () => void padron.child.kill('SIGKILL'));
      await padron.address();
      return padron;
    };
    const padrons = [await start(), await start()];
    const ids: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const client = new BatchClient({ url: (await padrons[0]?.address()) ?? '' });
      const rows = NSS.slice(round * 3, round * 3 + 3).map((nss) => ({ nss }));
      const { id } = (await client.create({ operation: CREDIT, rows, key: `round ${round}` })).batch;
      ids.push(id);
      await client.until(id, 'READY');
      await client.change(`startRegistryBatch(id: "${id}", maxUnits: 9)`);
      await client.until(id, 'DONE');
      // Kills the process that ran the batch, and every second time PostgreSQL too.
      const [killed] = padrons.splice(0, 1);
      killed?.child.kill('SIGKILL');
      if (round % 2 === 1) {
        await rig.cluster.kill();
        await sleep(1_500);
        await rig.cluster.start();
      }
      padrons.push(await start());
    }
    const delivered = () =>
      prepared.read(async (store) => {
        const rows = await store.query<{ id: string; state: string }>(
          'SELECT id, state FROM ledger_events ORDER BY number',
        );
        return rows.every(({ state }) => state === 'DELIVERED') ? rows.map(({ id }) => id) : null;
      });
    await waitUntil(async () => (await delivered()) !== null, 240_000);
    for (const padron of padrons) await padron.stop();
    await receiver.close();
    const stored = (await delivered()) ?? [];
    expect(stored).toHaveLength(2 * ids.length);
    const received = receiver.events();
    // Each event arrives at least once, with the ID that is stored, and always with the same content.
    expect(new Set(received.map(({ id }) => id))).toEqual(new Set(stored));
    expect(new Set(received.map((event) => JSON.stringify(event))).size).toBe(stored.length);
    for (const id of ids) {
      const types = received.filter(({ data }) => data.batch === id).map(({ type }) => type);
      expect(types).toEqual([...types].sort().reverse());
      expect(new Set(types)).toEqual(new Set(['batch.ready', 'batch.done']));
    }
    // Events cost nothing: each row was paid once.
    expect(service.calls.filter(({ units }) => units > 0)).toHaveLength(3 * ids.length);
  }, 600_000);

  it('say once that a registry is paused and answers again, although both processes notice it', async () => {
    const proxy = await startProxy(service.url);
    const receiver = await startEventReceiver();
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY, REPLAY_SECONDS: '0', ...receiver.environment });
    const padrons = await Promise.all(
      [1, 2].map(() => prepared.start({ registryUrl: () => proxy.url, environment: { DATA_DIR: rig.folder() } })),
    );
    const askAll = (nss: string | undefined) => Promise.all(padrons.map((padron) => padron.ask(query, { nss })));
    await askAll(NSS[0]);
    const { port } = new URL(proxy.url);
    await proxy.close();
    for (let call = 0; call < 12; call += 1) await askAll(NSS[call]);
    await receiver.untilEvents(1);
    const back = await startProxy(service.url, Number(port));
    const isBack = async (): Promise<boolean> =>
      (await askAll(NSS[0])).every(({ data }) => data.person.credit.outcome === 'FOUND');
    await waitUntil(isBack, 60_000);
    await receiver.untilEvents(2);
    await sleep(3_000);
    for (const padron of padrons) await padron.stop();
    await back.close();
    await receiver.close();
    expect(receiver.events().map(({ type, data }) => [type, data])).toEqual([
      ['registry.paused', { registry: 'housing', reason: 'REGISTRY_UNREACHABLE' }],
      ['registry.resumed', { registry: 'housing', reason: null }],
    ]);
  }, 120_000);
});
