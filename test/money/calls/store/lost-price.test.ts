import { answeredLive, answeredShared, askCredit, sharingRig } from '../../../support/padrons/sharing-padrons';
import { startProcess } from '../../../support/processes/process';
import { waitUntil } from '../../../support/proxies/deferred';
import { holdResponses } from '../../../support/proxies/held-responses';
import { BatchClient, CREDIT } from '../../../support/requests/batches';

const rig = sharingRig();
const { nextPerson } = rig;

/** A process asks, and is killed before it has an answer: the service has charged for it. Resolves when the others know that it died. */
async function killDuringCall(...people: readonly string[]): Promise<void> {
  const { proxy, settings, query } = rig.padrons;
  const dying = startProcess(settings());
  const url = await dying.address();
  const held = holdResponses(proxy);
  const answers = people.map((nss) => askCredit({ url }, nss).catch(() => null));
  await held.arrived(people.length);
  dying.child.kill('SIGKILL');
  await Promise.all([dying.ended(), ...answers]);
  held.release();
  await waitUntil(async () => (await query(`SELECT FROM calls WHERE state = 'OPEN'`)).length === 0);
  proxy.reset();
}

describe('the price of a call whose process was killed', () => {
  it("is reported once, to the next caller, even if the caller's budget is used up", async () => {
    const { first, second, calls } = rig.padrons;
    const [spender, nss] = [nextPerson(), nextPerson()];
    await killDuringCall(nss);
    const headers = { 'x-operation-id': 'split', 'x-max-units': '1' };
    expect(await askCredit(first, spender, headers)).toEqual(answeredLive);
    expect(await askCredit(second, nss, headers)).toEqual({
      outcome: 'NOT_RUN',
      servedFrom: 'NOT_SENT',
      problems: ['UNIT_BUDGET_EXCEEDED'],
      spent: 0,
      uncertain: 1,
    });
    expect(calls()).toBe(1);
    expect(await askCredit(first, nss)).toEqual(answeredLive);
    expect(calls()).toBe(2);
  });

  it('stays available if a budget rejects an operation before it runs', async () => {
    const { first, second, calls } = rig.padrons;
    const nss = nextPerson();
    await killDuringCall(nss);
    const refused = await askCredit(first, nss, { 'x-max-units': '0' });
    expect(refused).toMatchObject({ outcome: 'REFUSED', problems: ['UNIT_BUDGET_EXCEEDED'], uncertain: 0 });
    expect(calls()).toBe(0);
    expect(await askCredit(second, nss)).toEqual({ ...answeredLive, uncertain: 1 });
    expect(await askCredit(first, nss)).toEqual(answeredShared);
    expect(calls()).toBe(1);
  });
});

describe('the price of the calls of a request whose process was killed, if rows of a batch ask them again', () => {
  it('is told by the ledger, as that of the request, and by no row', async () => {
    const { first, query } = rig.padrons;
    const people = Array.from({ length: 5 }, nextPerson);
    const [{ last = '' } = {}] = await query<{ last: string }>(
      `SELECT coalesce(max(id), '') AS last FROM ledger_entries`,
    );
    await killDuringCall(...people);
    const client = new BatchClient(first);
    const { id, progress } = await client.runRows(
      CREDIT,
      people.map((nss) => ({ nss })),
    );
    expect(progress).toMatchObject({ done: 5, spentUnits: 5, uncertainUnits: 0 });
    const rows = await client.rows(id);
    expect(rows.map(({ units, uncertainUnits }) => [units, uncertainUnits])).toEqual(people.map(() => [1, 0]));
    // The entry of an answer that the test before shared, which cost nothing, may be written late.
    const sums = `SELECT batch_id IS NULL AS of_request, billing, sum(price)::integer AS units FROM ledger_entries
      WHERE id > '${last}' AND billing <> 'NOT_CHARGED' GROUP BY 1, 2 ORDER BY 1`;
    expect(await query(sums)).toEqual([
      { of_request: false, billing: 'CHARGED', units: 5 },
      { of_request: true, billing: 'UNKNOWN', units: 5 },
    ]);
  });
});

describe('a question whose processes died three times', () => {
  it('is refused for a while, and each price is reported once', async () => {
    const { first, second, calls } = rig.padrons;
    const nss = nextPerson();
    for (let death = 0; death < 3; death += 1) await killDuringCall(nss);
    const refused = await askCredit(second, nss);
    expect(refused).toMatchObject({ outcome: 'NOT_RUN', servedFrom: 'NOT_SENT', problems: ['REGISTRY_PAUSED'] });
    expect(refused.uncertain).toBe(1);
    expect(await askCredit(first, nss)).toEqual({ ...refused, uncertain: 0 });
    expect(calls()).toBe(0);
  });
});
