import { setTimeout as sleep } from 'node:timers/promises';
import { times } from '../../../../src/times';
import { type SharingPadrons, sharingRig } from '../../../support/padrons/sharing-padrons';
import { waitUntil } from '../../../support/proxies/deferred';
import { holdResponses } from '../../../support/proxies/held-responses';
import { askPriced } from '../../../support/requests/money';

const rig = sharingRig({ REPLAY_SECONDS: '60' });
const early = { 'x-answer-within': '1500ms' };
const query = `query Credit($nss: NSS) { person(nss: $nss) { credit { outcome evidence { servedFrom } } } }`;
const spendQuery = `{ registrySpend(by: []) { units uncertainUnits savedUnits } }`;

const ask = (padron: { readonly url: string }, nss: string, headers = {}) =>
  askPriced(padron, { query, variables: { nss } }, headers);

/** Asks early, and lets the service answer afterwards. Returns the usage of the early response. */
async function askEarly(nss: string, headers = {}, ended: Parameters<typeof holdResponses>[2] = null) {
  const held = holdResponses(rig.padrons.proxy, '', ended);
  const { units } = await ask(rig.padrons.first, nss, { ...early, ...headers });
  held.release();
  return units;
}

/** A process writes its own entries before it reads. */
async function sumsOf({ first, second }: SharingPadrons) {
  await askPriced(second, { query: spendQuery });
  return (await askPriced(first, { query: spendQuery })).data.registrySpend[0];
}

const none = { spent: 0, uncertain: 0, saved: 0 };
const settled = { spent: 1, uncertain: 1 };

describe('the follow-up of an early response', () => {
  it.each(['first', 'second'] as const)(
    'tells once what became of its uncertain units, and saves nothing: at the %s process',
    async (process) => {
      const nss = rig.nextPerson();
      const before = await sumsOf(rig.padrons);
      expect(await askEarly(nss)).toMatchObject({ ...none, uncertain: 1 });
      const followUp = await ask(rig.padrons[process], nss);
      expect(followUp.data.person.credit).toEqual({ outcome: 'FOUND', evidence: { servedFrom: 'REPLAY' } });
      expect(followUp.units).toMatchObject({ ...none, settled });
      for (const padron of [rig.padrons.first, rig.padrons.second])
        expect((await ask(padron, nss)).units).not.toHaveProperty('settled');
      const after = await sumsOf(rig.padrons);
      expect(after.units - before.units).toBe(1);
      expect(rig.padrons.calls()).toBe(1);
    },
  );

  it('is no saving in the ledger, and the question of another client is', async () => {
    const nss = rig.nextPerson();
    const before = await sumsOf(rig.padrons);
    await askEarly(nss, { 'x-client-name': 'payroll' });
    for (const padron of [rig.padrons.first, rig.padrons.second])
      expect((await ask(padron, nss, { 'x-client-name': 'payroll' })).units).toMatchObject({ saved: 0 });
    const kiosk = await ask(rig.padrons.second, nss, { 'x-client-name': 'kiosk' });
    expect(kiosk.units).toMatchObject({ spent: 0, saved: 1 });
    expect(kiosk.units).not.toHaveProperty('settled');
    const after = await sumsOf(rig.padrons);
    expect([after.units - before.units, after.savedUnits - before.savedUnits]).toEqual([1, 1]);
  });

  it('tells what became of them if it waited for the running call at another process', async () => {
    const nss = rig.nextPerson();
    const held = holdResponses(rig.padrons.proxy);
    await ask(rig.padrons.first, nss, early);
    const followUp = ask(rig.padrons.second, nss);
    held.release();
    expect((await followUp).units).toMatchObject({ ...none, settled });
    expect((await ask(rig.padrons.first, nss)).units).not.toHaveProperty('settled');
  });

  it('reports its settled units with the next response if the store was slow and its own response has left', async () => {
    const nss = rig.nextPerson();
    const { first, proxy, query: inStore } = rig.padrons;
    const { budgetsWait } = times;
    times.budgetsWait = 10_000;
    await inStore(`ALTER FUNCTION answer_settle(text[]) RENAME TO answer_settle_fast`);
    await inStore(`CREATE FUNCTION answer_settle(p text[]) RETURNS json LANGUAGE sql
      AS $$ SELECT pg_sleep(2); SELECT answer_settle_fast(p) $$`);
    const held = holdResponses(proxy);
    await ask(first, nss, early);
    const followUp = ask(first, nss, early);
    await sleep(500);
    held.release();
    const { units: left } = await followUp;
    expect(left).toMatchObject({ ...none, calls: [{ servedFrom: 'NOT_SENT' }] });
    expect(left).not.toHaveProperty('settled');
    await inStore(`DROP FUNCTION answer_settle(text[])`);
    await inStore(`ALTER FUNCTION answer_settle_fast(text[]) RENAME TO answer_settle`);
    times.budgetsWait = budgetsWait;
    const settlements: unknown[] = [];
    const askAgain = async (): Promise<boolean> => {
      const { units } = await ask(first, nss);
      if (units?.settled) settlements.push(units.settled);
      return settlements.length > 0;
    };
    await waitUntil(askAgain, 10_000);
    await askAgain();
    expect(settlements).toEqual([settled]);
  });

  it('tells that a call was free, and leaves uncertain what the service did not tell', async () => {
    const [free, unknown] = [rig.nextPerson(), rig.nextPerson()];
    await askEarly(free, {}, { status: 410, json: { success: false, message: 'x' } });
    expect((await ask(rig.padrons.second, free)).units).toMatchObject({ ...none, settled: { spent: 0, uncertain: 1 } });
    await askEarly(unknown, {}, { status: 503, json: {} });
    const { units } = await ask(rig.padrons.second, unknown);
    expect(units).toMatchObject(none);
    expect(units).not.toHaveProperty('settled');
  });
});
