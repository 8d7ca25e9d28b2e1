import { LONG_SECRET } from '../../support/padrons/settings';
import { answeredLive, askCredit, sharingRig } from '../../support/padrons/sharing-padrons';
import { startProcess } from '../../support/processes/process';
import { holdResponses } from '../../support/proxies/held-responses';

const rig = sharingRig();
const { nextPerson } = rig;

/** An instance asks, and is killed before it has an answer: the service has charged for it. */
async function killDuringCall(nss: string): Promise<void> {
  const dying = startProcess({
    PORT: '0',
    REGISTRY_URL: rig.padrons.proxy.url,
    REPLAY_URL: rig.redis.url,
    REPLAY_KEY: LONG_SECRET,
  });
  const url = await dying.address();
  const held = holdResponses(rig.padrons.proxy);
  const answer = askCredit({ url }, nss).catch(() => null);
  await held.arrived(1);
  dying.child.kill('SIGKILL');
  await Promise.all([dying.ended(), answer]);
  held.release();
  rig.padrons.proxy.reset();
}

describe('the possible cost of a call whose instance was killed', () => {
  it("is reported once, to the next caller, even if the caller's budget is used up", async () => {
    const [spender, nss] = [nextPerson(), nextPerson()];
    await killDuringCall(nss);
    const headers = { 'x-operation-id': 'split', 'x-max-units': '1' };
    expect(await askCredit(rig.padrons.first, spender, headers)).toEqual(answeredLive);
    expect(await askCredit(rig.padrons.second, nss, headers)).toEqual({
      outcome: 'NOT_RUN',
      servedFrom: 'NOT_SENT',
      problems: ['UNIT_BUDGET_EXCEEDED'],
      spent: 0,
      uncertain: 1,
    });
    expect(rig.padrons.calls()).toBe(1);
    expect(await askCredit(rig.padrons.first, nss)).toEqual(answeredLive);
    expect(rig.padrons.calls()).toBe(2);
  });

  it('stays available if a budget rejects an operation before it runs', async () => {
    const nss = nextPerson();
    await killDuringCall(nss);
    const refused = await askCredit(rig.padrons.first, nss, { 'x-max-units': '0' });
    expect(refused).toMatchObject({ outcome: 'REFUSED', problems: ['UNIT_BUDGET_EXCEEDED'], uncertain: 0 });
    expect(rig.padrons.calls()).toBe(0);
    expect(await askCredit(rig.padrons.second, nss)).toEqual({ ...answeredLive, uncertain: 1 });
    expect(rig.padrons.calls()).toBe(1);
  });
});
