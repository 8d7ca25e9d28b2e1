import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

const rows = NSS.slice(0, 200).map((nss) => ({ nss }));
/** Maximum calls before the batch is paused: concurrent first calls, and calls that probe whether the registry answers again. */
const concurrency = 8;
const maxCalls = 40;

describe('a batch whose registry keeps failing', () => {
  const rig = engineRig();
  const padron = proxiedPadronForTests({ BATCH_CONCURRENCY: `${concurrency}` }, rig);
  const client = new BatchClient(padron);
  beforeAll(() => client.verifyToken());

  it.each([503])(
    'with %i is paused before its rows fail one after the other, and can be resumed when the registry answers again',
    async (status) => {
      padron.proxy.reset();
      padron.calls();
      padron.proxy.standIn(() => ({ status, json: { success: false } }));
      const { id } = await client.ready(CREDIT, rows);
      const paused = await client.run(id, 500);
      expect(paused).toMatchObject({ state: 'PAUSED', reason: { code: 'REGISTRY_PAUSED' } });
      expect(paused.progress.failed).toBeLessThan(10);
      expect(padron.proxy.requests.length).toBeLessThan(maxCalls);
      padron.proxy.standIn(null);
      await client.change(`resumeRegistryBatch(id: "${id}")`);
      await client.until(id, 'DONE', 'PAUSED');
      await client.change(`retryRegistryBatch(id: "${id}", maxUnits: 500)`);
      const done = await client.until(id, 'DONE', 'PAUSED');
      expect(done).toMatchObject({ state: 'DONE', progress: { waiting: 0, failed: 0 } });
      // Includes the calls that were running when the batch was paused.
      const { unknown } = done.progress;
      expect(unknown).toBeLessThan(maxCalls);
      expect(padron.callsInFull()).toHaveLength(rows.length - unknown);
    },
    240_000,
  );
});
