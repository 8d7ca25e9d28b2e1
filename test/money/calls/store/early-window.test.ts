import { isAwaited, sharingRig } from '../../../support/padrons/sharing-padrons';
import { waitUntil } from '../../../support/proxies/deferred';
import { holdResponses } from '../../../support/proxies/held-responses';
import { askPriced } from '../../../support/requests/money';
import { profile } from '../../../support/requests/slow-profile';

type Headers = Readonly<Record<string, string>>;

const rig = sharingRig({ REPLAY_SECONDS: '0', REUSE_DAYS: '30', PURPOSES: 'hiring,credit' });
const liveOnly: Headers = { 'x-max-age': '0s', 'x-answer-within': '2s' };

async function askProfile(padron: { readonly url: string }, headers: Headers) {
  const { data } = await askPriced(padron, profile, headers);
  const { slow, fast } = data;
  return [fast.identity.evidence.servedFrom, slow.credit.problems[0]?.code ?? slow.credit.evidence.servedFrom];
}

describe('an answer of an early response', () => {
  it('is kept for a minute after it has arrived, in every process, and no other early response prolongs that', async () => {
    let elapsed = 0;
    const clock = { now: () => new Date(Date.now() + elapsed) };
    const { add, proxy, query } = rig.padrons;
    const [one, other] = [await add({}, clock), await add({}, clock)];
    const pass = async (seconds: number): Promise<void> => {
      elapsed += 1_000 * seconds;
      await query(`UPDATE answers SET until = until - interval '${seconds} seconds'`);
    };
    const held = holdResponses(proxy, 'buscar-credito');
    expect(await askProfile(one, liveOnly)).toEqual(['LIVE', 'STILL_RUNNING']);
    await waitUntil(async () => (await query("SELECT FROM answers WHERE rule = 'HOLDER'")).length > 0);
    await pass(35);
    for (const padron of [one, other]) expect(await askProfile(padron, liveOnly)).toEqual(['REPLAY', 'STILL_RUNNING']);
    await pass(36);
    for (const padron of [one, other]) {
      expect(await askProfile(padron, liveOnly)).toEqual(['LIVE', 'STILL_RUNNING']);
      await query('DELETE FROM answers');
    }
    held.release();
    for (const padron of [one, other]) await padron.stop();
  });

  it('is not used for another purpose', async () => {
    const { first, second, proxy, calls } = rig.padrons;
    const held = holdResponses(proxy, 'buscar-credito');
    const [hiring, credit] = ['hiring', 'credit'].map((purpose) => ({ ...liveOnly, 'x-purpose': purpose }));
    expect(await askProfile(first, hiring ?? {})).toEqual(['LIVE', 'STILL_RUNNING']);
    const patient = askProfile(second, { 'x-max-age': '0s', 'x-purpose': 'hiring' });
    await waitUntil(() => isAwaited(rig.padrons));
    held.release();
    expect(await patient).toEqual(['REPLAY', 'REPLAY']);
    expect(calls()).toBe(2);
    for (const padron of [first, second]) expect(await askProfile(padron, hiring ?? {})).toEqual(['REPLAY', 'REPLAY']);
    for (const padron of [first, second])
      expect(await askProfile(padron, { ...credit, 'x-answer-within': '30s' })).toEqual(['LIVE', 'LIVE']);
  });
});
