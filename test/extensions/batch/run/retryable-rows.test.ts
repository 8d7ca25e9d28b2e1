import { getCard } from '../../../../src/extensions/sandbox/test-cards/cards';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';

const [first = '', second = '', third = ''] = NSS;
const mistyped = third.slice(0, 10) + ((Number(third[10]) + 1) % 10);
const rejected = getCard('bad-request', 'nss').value;
/** The licences need the name from the credit. */
const PROFILE = `query Profile($nss: NSS!) { person(nss: $nss) { credit { outcome } licences { outcome problems { code } } } }`;
const forbidden = { status: 403, json: { success: false } };

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
