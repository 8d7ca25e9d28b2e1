import { type RunningPadron, runPadron } from '../../../support/padrons/padron';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../../../support/stores/engines';

const [oldSecret, newSecret] = ['old-secret-'.repeat(4), 'new-secret-'.repeat(4)];

describe.each(engines)('the key of a batch after a rotation of DATA_KEYS, on the %s store', (engine) => {
  const rig = engineRig(engine);
  let padron: RunningPadron;
  // All processes use the same service, because an account belongs to a service.
  const sandbox = sandboxForTests();
  afterAll(() => padron.stop());

  it('finds the batch, whichever key was the newest when the batch was created', async () => {
    const { environment } = await rig.settings();
    const start = async (keys: string): Promise<BatchClient> => {
      padron = await runPadron({
        environment: { ...environment, DATA_KEYS: keys },
        registryUrl: () => sandbox.url,
      });
      return new BatchClient(padron);
    };
    const rows = NSS.slice(0, 3).map((nss) => ({ nss }));
    const input = { operation: CREDIT, key: 'payroll', rows };
    const before = (await (await start(oldSecret)).create(input)).batch.id;
    await padron.stop();

    const client = await start(`${newSecret},${oldSecret}`);
    const again = await client.create(input);
    expect(again).toMatchObject({ batch: { id: before }, problems: [] });
    const another = await client.create({ ...input, rows: rows.slice(1) });
    expect(another).toMatchObject({ batch: null, problems: [{ code: 'INVALID_FORMAT', path: ['input', 'key'] }] });
    expect((await client.run(before, 3)).progress).toMatchObject({ done: 3, spentUnits: 3 });

    const own = (await client.create({ ...input, key: 'made now' })).batch.id;
    expect(own).not.toBe(before);
    expect((await client.create({ ...input, key: 'made now' })).batch.id).toBe(own);
    await padron.stop();
    const rolledBack = await start(`${oldSecret},${newSecret}`);
    expect((await rolledBack.create({ ...input, key: 'made now' })).batch.id).toBe(own);
    expect((await rolledBack.create(input)).batch.id).toBe(before);
  });
});
