import { withPadron } from '../../../support/padrons/with-padron';
import { BatchClient, NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

const ACCOUNT = 'query Account($nss: NSS!) { person(nss: $nss) { housingAccount { outcome problems { code } } } }';
const rows = NSS.slice(0, 3).map((nss) => ({ nss }));

describe('a batch', () => {
  const rig = engineRig();

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
});
