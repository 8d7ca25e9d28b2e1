import { setTimeout as sleep } from 'node:timers/promises';
import { getCard } from '../../../../src/extensions/sandbox/test-cards/cards';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';

const [first = '', second = '', third = ''] = NSS;
const mistyped = third.slice(0, 10) + ((Number(third[10]) + 1) % 10);
const rejected = getCard('bad-request', 'nss').value;
/** The licences need the name from the credit. */
const PROFILE = `query Profile($nss: NSS!) { person(nss: $nss) { credit { outcome } licences { outcome problems { code } } } }`;
const forbidden = { status: 403, json: { success: false, message: 'x' } };

describe.each(engines)('the failed rows of a batch, on the %s store', (engine) => {
  const rig = engineRig(engine);
  const padron = proxiedPadronForTests({ REPLAY_SECONDS: '0' }, rig);
  const client = new BatchClient(padron);

  const run = (operation: string, people: readonly string[]) =>
    client.runRows(
      operation,
      people.map((nss) => ({ nss })),
      50,
    );
  const retry = async (id: string) => {
    padron.calls();
    const { problems } = await client.change(`retryRegistryBatch(id: "${id}", maxUnits: 50)`);
    expect(problems).toEqual([]);
    return (await client.until(id, 'DONE')).progress;
  };

  it('are retried if their call failed, and not if their data was rejected', async () => {
    padron.proxy.tamper(({ bytes }) => (bytes.includes(first) ? forbidden : null));
    const { id, progress } = await run(CREDIT, [first, second, mistyped, rejected, first]);
    expect(progress).toMatchObject({ done: 1, failed: 4, retryable: 2 });
    padron.proxy.reset();
    expect(await retry(id)).toMatchObject({ done: 3, failed: 2, retryable: 0, spentUnits: 2 });
    expect(padron.calls()).toHaveLength(1);
    expect((await client.rows(id)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['DONE', 2],
      ['DONE', 1],
      ['FAILED', 1],
      ['FAILED', 1],
      ['DONE', 2],
    ]);
    expect(await retry(id)).toMatchObject({ done: 3, failed: 2, retryable: 0 });
    expect(padron.calls()).toEqual([]);
  });

  it('are retried if the call that finds their identifier failed, and not if the registry has none', async () => {
    padron.proxy.tamper(({ bytes }) => (bytes.includes(first) ? forbidden : null));
    const { id, progress } = await run(PROFILE, [first, getCard('not-found', 'nss').value]);
    expect(progress).toMatchObject({ failed: 2, retryable: 1 });
    padron.proxy.reset();
    expect(await retry(id)).toMatchObject({ done: 1, failed: 1, retryable: 0 });
  });
});

const batches = 40;
const atOnce = 10;
const patienceMs = 30_000;

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
  });
});
