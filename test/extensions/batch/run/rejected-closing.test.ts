import { openStore } from '../../../../src/store/open-store';
import { runPadron } from '../../../support/padrons/padron';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';
import { storeMigrations } from '../../../support/stores/store-migrations';

describe('a batch row whose answer the store rejects', () => {
  const rig = engineRig('postgres');

  it('has its result, its price is uncertain in the batch, and it is not paid again', async () => {
    const { environment, store: settings } = await rig.settings();
    const padron = await runPadron({ environment: { ...environment, REPLAY_SECONDS: '0' } });
    rig.atEnd(() => padron.stop());
    const store = await openStore(settings, storeMigrations);
    rig.atEnd(() => store.close());
    const client = new BatchClient(padron);
    const { id } = await client.ready(CREDIT, [{ nss: NSS[0] }]);
    padron.calls();
    await store.query(`ALTER TABLE operation_answers ADD CONSTRAINT rejecting CHECK (answer IS NULL)`);
    const ended = await client.run(id);
    expect(ended).toMatchObject({ state: 'DONE', progress: { done: 1, failed: 0, spentUnits: 0, uncertainUnits: 1 } });
    const [row] = await client.rows(id);
    expect(row).toMatchObject({ state: 'DONE', data: { person: { credit: { outcome: 'FOUND' } } } });
    expect(padron.calls()).toHaveLength(1);
    expect(await store.query('SELECT state FROM operation_answers')).toEqual([{ state: 'UNKNOWN' }]);
  });
});
