import { setTimeout as sleep } from 'node:timers/promises';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';

const batches = 40;
const atOnce = 10;
const patienceMs = 5_000;

describe.each(engines)('a batch that is retried at the moment it ends, on the %s store', (engine) => {
  const rig = engineRig(engine);
  const padron = proxiedPadronForTests({}, rig);
  const client = new BatchClient(padron);

  const stateOf = async (id: string): Promise<string> =>
    (await client.ask('query($id: ID!) { registryBatch(id: $id) { state } }', { id })).registryBatch.state;

  async function endsWithin(id: string, ms: number): Promise<boolean> {
    for (const start = performance.now(); performance.now() - start < ms; await sleep(10))
      if ((await stateOf(id)) === 'DONE') return true;
    return false;
  }

  /** Whether a retry, sent `delayMs` after the batch is DONE, runs the row and ends. */
  async function retryAtEnd(nss: string, delayMs: number): Promise<boolean> {
    const { id } = await client.ready(CREDIT, [{ nss }]);
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 10)`);
    while ((await stateOf(id)) !== 'DONE') await sleep(1);
    if (delayMs > 0) await sleep(delayMs);
    const { problems } = await client.change(`retryRegistryBatch(id: "${id}", maxUnits: 10)`);
    expect(problems).toEqual([]);
    return endsWithin(id, patienceMs);
  }

  it('runs the failed row again, every time', async () => {
    padron.proxy.tamper(() => ({ status: 403, json: { success: false, message: 'Forbidden' } }));
    const stuck: number[] = [];
    for (let first = 0; first < batches; first += atOnce) {
      const indexes = Array.from({ length: atOnce }, (_, place) => first + place);
      const ended = await Promise.all(indexes.map((index) => retryAtEnd(NSS[index] ?? '', (index % 5) * 10)));
      stuck.push(...indexes.filter((_, place) => !ended[place]));
    }
    expect(stuck).toEqual([]);
    expect(padron.calls()).toHaveLength(2 * batches);
  }, 120_000);
});
