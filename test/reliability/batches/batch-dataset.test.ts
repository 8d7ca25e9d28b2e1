import { ledgerPadronForTests } from '../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT } from '../../support/requests/batches';
import { paidTwice } from '../../support/sandbox/paid-twice';
import { engineRig, engines } from '../../support/stores/engines';
import { makeDataset, toCsv } from './dataset';

describe.each(engines)('2,000 rows with repetitions, test cards and wrong digits, on the %s store', (engine) => {
  const rig = engineRig(engine);
  const padron = ledgerPadronForTests(rig);

  it('are charged once for each distinct question', async () => {
    const client = new BatchClient(padron);
    await client.verifyToken();
    padron.calls();
    const dataset = makeDataset(2_000);
    const { batch } = await client.create({ operation: CREDIT, name: 'Staff' });
    expect(batch.state).toBe('WAITING_FOR_ROWS');
    const uploaded = await client.upload(batch.uploadUrl, toCsv(dataset));
    expect(uploaded).toMatchObject({ status: 200, body: { rows: 2_000, refusedCount: 0 } });
    const { estimate } = await client.until(batch.id, 'READY');
    expect(estimate).toMatchObject({ rowCount: 2_000, estimatedUnits: dataset.askable.size, bounded: true });
    expect(padron.callsInFull()).toHaveLength(0);
    await client.change(`startRegistryBatch(id: "${batch.id}", maxUnits: 2000)`);
    const done = await client.until(batch.id, 'DONE', 'PAUSED');
    expect(done.state).toBe('DONE');
    expect(padron.callsInFull()).toHaveLength(dataset.askable.size);
    expect(paidTwice(padron.callsInFull())).toEqual([]);
    const { spentUnits, uncertainUnits, unknown, failed, done: answered } = done.progress;
    expect(spentUnits).toBeLessThanOrEqual(padron.spent());
    expect(padron.spent()).toBeLessThanOrEqual(spentUnits + uncertainUnits);
    expect(uncertainUnits).toBe(dataset.uncertain.size);
    expect(unknown + failed + answered).toBe(2_000);
    expect((await client.rows(batch.id, 'FAILED')).every(({ problems }) => problems.length > 0)).toBe(true);
  }, 120_000);
});
