import { purgeBatches } from '../../../src/extensions/batch/storage/erase';
import { openStore } from '../../../src/store/open-store';
import type { Store } from '../../../src/store/store';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { engineRig } from '../../support/stores/engines';
import { storeMigrations } from '../../support/stores/store-migrations';

const csv = `nss\n${NSS[0]}\n`;
const ACCOUNT = CREDIT.replace('hasCredit', '');

describe('a batch that receives no rows', () => {
  const rig = engineRig('postgres');
  let padron: RunningPadron;
  let client: BatchClient;
  let store: Store;

  beforeAll(async () => {
    const { environment } = await rig.settings();
    padron = await runPadron({ environment: { ...environment, BATCH_ACCOUNT_BATCHES: '2' } });
    client = new BatchClient(padron);
    store = await openStore({ kind: 'postgres', url: environment.DATABASE_URL ?? '' }, storeMigrations);
  });
  afterAll(async () => {
    await store.close();
    await padron.stop();
  });
  beforeEach(async () => {
    for (const table of ['batch', 'batch_row']) await store.query(`DELETE FROM ${table}`);
  });

  /** Moves the creation and the last upload of all batches into the past. */
  const pass = (interval: string): Promise<unknown> =>
    store.query(`UPDATE batch SET waits_until = waits_until - interval '${interval}'`);
  const minutesLeft = ({ expiresAt }: { readonly expiresAt: string }): number =>
    Math.round((Date.parse(expiresAt) - Date.now()) / 60_000);

  it('waits for an hour after its creation, the last file, or the last request with its key', async () => {
    const input = { operation: CREDIT, key: 'patient' };
    const { batch } = await client.create(input);
    expect(minutesLeft(batch)).toBe(60);
    await pass('50 minutes');
    expect(minutesLeft(await client.get(batch.id))).toBe(10);
    expect((await client.upload(batch.uploadUrl, '\n')).status).toBe(400);
    expect(minutesLeft(await client.get(batch.id))).toBe(60);
    await pass('50 minutes');
    expect(minutesLeft((await client.create(input)).batch)).toBe(60);
    await purgeBatches(store);
    expect((await client.upload(batch.uploadUrl, csv)).status).toBe(200);
    expect(minutesLeft(await client.until(batch.id, 'READY'))).toBeGreaterThan(24 * 60);
  });

  it('takes the results of idempotency keys that show it when it expires, and no others', async () => {
    const create = (key: string) =>
      padron.ask(
        `mutation { createRegistryBatch(input: { operation: ${JSON.stringify(CREDIT)}, key: "${key}" }) { batch { id } } }`,
        {},
        { 'idempotency-key': key },
      );
    await create('expired');
    await pass('61 minutes');
    const { data } = await create('waiting');
    await purgeBatches(store);
    const [lost, replayed] = [await create('expired'), await create('waiting')];
    expect(lost.errors).toMatchObject([{ extensions: { code: 'IDEMPOTENCY_RESULT_LOST' } }]);
    expect([replayed.data, replayed.headers['idempotency-replayed']]).toEqual([data, 'true']);
  });

  it('is gone after that time: it is not found, takes no file, counts in no quota and frees its key', async () => {
    const { batch } = await client.create({ operation: CREDIT, key: 'abandoned' });
    await client.create({ operation: CREDIT });
    expect((await client.create({ operation: CREDIT })).problems).toMatchObject([{ code: 'BATCH_QUOTA_EXCEEDED' }]);
    await pass('61 minutes');
    expect(await client.get(batch.id)).toBeNull();
    const { registryBatches } = await client.ask('{ registryBatches(state: WAITING_FOR_ROWS) { batches { id } } }');
    expect(registryBatches.batches).toEqual([]);
    expect(await client.upload(batch.uploadUrl, csv)).toMatchObject({
      status: 404,
      body: { errors: [{ message: 'The batch no longer exists.' }] },
    });
    const next = await client.create({ operation: ACCOUNT, key: 'abandoned', rows: [{ nss: NSS[0] }] });
    expect(next.problems).toEqual([]);
    expect(next.batch.id).not.toBe(batch.id);
  });

  it('is erased with the rows of its interrupted upload, and leaves nothing behind', async () => {
    const { batch } = await client.create({ operation: CREDIT });
    const ready = await client.ready(CREDIT, [{ nss: NSS[0] }]);
    await store.query(`INSERT INTO batch_row (batch, number, input) VALUES ($1, 1, '')`, [batch.id]);
    await pass('61 minutes');
    await purgeBatches(store);
    expect(await store.query('SELECT id FROM batch')).toEqual([{ id: ready.id }]);
    expect(await store.query('SELECT DISTINCT batch FROM batch_row')).toEqual([{ batch: ready.id }]);
  });
});
