import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { withPadron } from '../../support/padrons/with-padron';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { engineRig } from '../../support/stores/engines';

const ACCOUNT = 'query Account($nss: NSS!) { person(nss: $nss) { housingAccount { outcome problems { code } } } }';
const rows = NSS.slice(0, 3).map((nss) => ({ nss }));

describe('a batch', () => {
  const rig = engineRig('embedded');

  it('cannot be created if padron has no store', async () => {
    await withPadron({}, async (padron) => {
      const { errors } = await padron.ask('{ registryBatches { batches { id } } }');
      expect(errors).toMatchObject([{ extensions: { code: 'BATCHES_OFF' } }]);
    });
  });

  it('calls no endpoint that the service does not allow in batches, unless the operator sets BATCH_ENDPOINTS=any', async () => {
    const { environment } = await rig.settings();
    await withPadron({ environment }, async (padron) => {
      const client = new BatchClient(padron);
      const ready = await client.ready(ACCOUNT, rows);
      expect(padron.calls()).toEqual([]);
      expect(ready.barredEndpoints).toEqual(['POST /api/infonavit/grupo/obtener-cuenta']);
      const { problems } = await client.change(`startRegistryBatch(id: "${ready.id}", maxUnits: 10)`);
      expect(problems).toMatchObject([{ code: 'NOT_IN_BATCH' }]);
      expect(padron.calls()).toEqual([]);
    });
    await withPadron({ environment: { ...environment, BATCH_ENDPOINTS: 'any' } }, async (padron) => {
      const client = new BatchClient(padron);
      const ready = await client.ready(ACCOUNT, rows);
      expect((await client.run(ready.id, 10)).progress).toMatchObject({ spentUnits: 3 });
    });
  });

  describe('whose process ends while it runs', () => {
    const sandbox = sandboxForEachTest();

    it('continues automatically in the next process', async () => {
      const { environment } = await rig.settings();
      const setup = { environment: { ...environment, BATCH_CONCURRENCY: '1' }, registryUrl: () => sandbox.url };
      const id = await withPadron(setup, async (padron) => {
        const client = new BatchClient(padron);
        const ready = await client.ready(
          CREDIT,
          NSS.slice(0, 200).map((nss) => ({ nss })),
        );
        await client.change(`startRegistryBatch(id: "${ready.id}", maxUnits: 500)`);
        return ready.id;
      });
      expect(sandbox.spent(SANDBOX_TOKEN)).toBeLessThan(200);
      await withPadron({ environment, registryUrl: () => sandbox.url }, async (padron) => {
        const done = await new BatchClient(padron).until(id, 'DONE', 'PAUSED');
        const progress = { done: 200, spentUnits: 200, uncertainUnits: 0 };
        expect(done).toMatchObject({ state: 'DONE', progress });
        expect(sandbox.spent(SANDBOX_TOKEN)).toBe(200);
      });
    });
  });
});
