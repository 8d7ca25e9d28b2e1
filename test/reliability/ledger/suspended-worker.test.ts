import { type SharingPadrons, startSharingPadrons } from '../../support/padrons/sharing-padrons';
import { type PadronProcess, startProcess } from '../../support/processes/process';
import { waitUntil } from '../../support/proxies/deferred';
import { holdResponses } from '../../support/proxies/held-responses';
import { BatchClient, CREDIT } from '../../support/requests/batches';
import { indebted } from '../../support/requests/credit-request';
import { engineRig } from '../../support/stores/engines';

const concurrency = 4;
const people = indebted.slice(0, 12);
/** Rows 9 to 12 are about the people of the rows 1 to 4. The worker has eight rows at a time, so it does not have them when it is suspended. */
const rows = [...people.slice(0, 8), ...people.slice(0, 4), ...people.slice(8)].map((nss) => ({ nss }));

describe('a worker that is suspended while its calls run, and declared dead', () => {
  const rig = engineRig('postgres');
  let padrons: SharingPadrons;
  let suspended: PadronProcess;
  afterEach(async () => {
    suspended.child.kill('SIGKILL');
    await padrons.stop();
  });

  /** Suspends a worker while its first calls run. Another one continues the batch, and the service answers the first calls. */
  const suspend = async () => {
    padrons = await startSharingPadrons(rig, {
      ROLE: 'graph',
      BATCH_CONCURRENCY: `${concurrency}`,
      REGISTRY_CONCURRENCY: '100',
    });
    const client = new BatchClient(padrons.first);
    await client.verifyToken();
    padrons.proxy.reset();
    const held = holdResponses(padrons.proxy);
    suspended = startProcess({ ...padrons.settings(), ROLE: 'worker' });
    await suspended.says('health/ready');
    const { id } = await client.ready(CREDIT, rows);
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 100)`);
    await held.arrived(concurrency);
    suspended.child.kill('SIGSTOP');
    await padrons.query(`SELECT process_expire(r.worker, null) FROM (SELECT DISTINCT worker FROM batch_row WHERE state = 'RUNNING') r;
      SELECT batch_release_dead()`);
    const heldOfOther = holdResponses(padrons.proxy);
    held.release();
    await padrons.add({ ROLE: 'all', BATCH_CONCURRENCY: `${rows.length}` });
    const wake = (): void => void suspended.child.kill('SIGCONT');
    return { client, id, heldOfOther, wake };
  };

  const entries = () =>
    padrons.query(
      "SELECT outcome, billing, count(*)::integer AS calls FROM ledger_entries WHERE price > 0 AND served_from = 'LIVE' GROUP BY 1, 2",
    );
  const charged = [{ outcome: 'FOUND', billing: 'CHARGED', calls: people.length }];

  it('changes its rows to what it was answered, and rows with the same questions are read again, while the batch runs', async () => {
    const { client, id, heldOfOther, wake } = await suspend();
    await waitUntil(async () => (await client.get(id)).progress.unknown === 8, 30_000);
    wake();
    await waitUntil(async () => (await client.get(id)).progress.unknown === 0, 30_000);
    heldOfOther.release();
    const { progress, csvUrl } = await client.until(id, 'DONE');
    expect(progress).toMatchObject({ done: rows.length, unknown: 0, spentUnits: people.length, uncertainUnits: 0 });
    const found = await client.rows(id);
    expect(found.map(({ state }) => state)).toEqual(rows.map(() => 'DONE'));
    expect(found.reduce((sum, { units }) => sum + units, 0)).toBe(people.length);
    expect((await client.download(csvUrl)).text).not.toContain('ANSWER_LOST');
    expect([await entries(), padrons.calls()]).toEqual([charged, people.length]);
  }, 120_000);

  it('changes its rows to what it was answered, also if the batch is done, and a retry of the others is free', async () => {
    const { client, id, heldOfOther, wake } = await suspend();
    heldOfOther.release();
    expect((await client.until(id, 'DONE')).progress).toMatchObject({
      done: 8,
      unknown: 8,
      spentUnits: 8,
      uncertainUnits: 4,
    });
    wake();
    await waitUntil(async () => (await client.get(id)).progress.unknown === 4, 30_000);
    const { state, progress } = await client.get(id);
    expect([state, progress]).toMatchObject(['DONE', { done: 12, spentUnits: people.length, uncertainUnits: 0 }]);
    const unknown = await client.rows(id, 'UNKNOWN');
    expect(unknown.map(({ number, units, uncertainUnits }) => [number, units, uncertainUnits])).toEqual(
      [9, 10, 11, 12].map((number) => [number, 0, 0]),
    );
    await client.change(`retryRegistryBatch(id: "${id}", maxUnits: 100, rows: UNKNOWN)`);
    expect((await client.until(id, 'DONE')).progress).toMatchObject({ done: rows.length, spentUnits: people.length });
    expect([await entries(), padrons.calls()]).toEqual([charged, people.length]);
  }, 120_000);
});
