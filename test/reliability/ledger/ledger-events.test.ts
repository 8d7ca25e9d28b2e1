import { setTimeout as sleep } from 'node:timers/promises';
import { DATA_KEY } from '../../support/padrons/budgets';
import { preparePadron } from '../../support/padrons/ledger';
import { startEventReceiver } from '../../support/padrons/webhooks';
import { type PadronProcess, startProcess } from '../../support/processes/process';
import { waitUntil } from '../../support/proxies/deferred';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { ownServerRig } from '../../support/stores/engines';

describe('events of several processes', () => {
  const rig = ownServerRig();
  const service = sandboxForEachTest();

  it('are all delivered with their IDs in the order of each batch, over kills of processes and of PostgreSQL', async () => {
    // Every third request is not answered, so that kills meet deliveries.
    const receiver = await startEventReceiver((count) => (count % 3 === 0 ? null : count % 5 === 0 ? 500 : 204));
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY, ...receiver.environment });
    const start = async (): Promise<PadronProcess> => {
      const environment = { ...prepared.environment, PORT: '0', REGISTRY_URL: service.url };
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
      await client.change(`startRegistryBatch(id: "${id}", maxUnits: 9, earlierAnswers: PAY_AGAIN)`);
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
});
