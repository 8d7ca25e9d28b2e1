import type { RunningPadron } from '../../support/padrons/padron';
import {
  answeredLive,
  answeredShared,
  askCredit,
  isAwaited,
  questionStates,
  sharingRig,
  storeStates,
} from '../../support/padrons/sharing-padrons';
import { waitUntil } from '../../support/proxies/deferred';
import { holdResponses } from '../../support/proxies/held-responses';

// A short deadline for calls, so that waiting requests soon notice that a call has ended.
const rig = sharingRig({ REGISTRY_TIMEOUT_MS: '4000' });
const { nextPerson } = rig;

/** Makes a padron detect that the store is unavailable. It then does not try to store the answers of calls that end. */
async function detectOutage(padron: RunningPadron): Promise<void> {
  await padron.ask('query Notice($nss: NSS) { person(nss: $nss) { housingAccount { outcome } } }', {
    nss: nextPerson(),
  });
  expect(storeStates(padron).at(-1)).toBe('unavailable');
}

/** Waits until the store is back, and knows of so many answers and of no call. */
async function waitForAnswers(count: number): Promise<void> {
  await waitForStore();
  await waitUntil(async () => {
    const states = await questionStates(rig.redis);
    return states.length === count && states.every((state) => state === 'A');
  });
}

async function waitForStore(): Promise<void> {
  await waitUntil(() =>
    [rig.padrons.first, rig.padrons.second].every((padron) => storeStates(padron).at(-1) !== 'unavailable'),
  );
}

/** Asks the first padron. Its call ends after it has detected that the store is unavailable. */
async function askWhileStoreLeaves(nss: string, response?: Parameters<typeof holdResponses>[2]) {
  const held = holdResponses(rig.padrons.proxy, 'buscar-credito', response);
  const answer = askCredit(rig.padrons.first, nss);
  await held.arrived(1);
  rig.redis.hang();
  await detectOutage(rig.padrons.first);
  held.release();
  return answer;
}

/** Brings the store back, and asks the second padron when it has so many answers. */
async function askSecondLater(nss: string, answers: number) {
  rig.redis.resume();
  await waitForAnswers(answers);
  rig.padrons.proxy.reset();
  return askCredit(rig.padrons.second, nss);
}

describe('a call that one instance finishes while the store is unavailable', () => {
  it('is an answer for the other instances after the store is back', async () => {
    const nss = nextPerson();
    const before = (await questionStates(rig.redis)).length;
    expect(await askWhileStoreLeaves(nss)).toEqual(answeredLive);
    expect(await askSecondLater(nss, before + 2)).toEqual(answeredShared);
    expect(rig.padrons.calls()).toBe(0);
  });

  it('blocks no other instance if it failed', async () => {
    const nss = nextPerson();
    const before = (await questionStates(rig.redis)).length;
    const failed = await askWhileStoreLeaves(nss, { status: 503, json: {} });
    expect(failed).toMatchObject({ outcome: 'UNAVAILABLE', servedFrom: 'LIVE' });
    expect(await askSecondLater(nss, before + 1)).toEqual(answeredLive);
    expect(rig.padrons.calls()).toBe(1);
  });

  it('is an answer for the others even if it started during the outage', async () => {
    const nss = nextPerson();
    const before = (await questionStates(rig.redis)).length;
    rig.redis.hang();
    await detectOutage(rig.padrons.first);
    expect(await askCredit(rig.padrons.first, nss)).toEqual(answeredLive);
    expect(await askSecondLater(nss, before + 2)).toEqual(answeredShared);
    expect(rig.padrons.calls()).toBe(0);
  });

  it('is waited for by the others if it continues and the store has lost it', async () => {
    const nss = nextPerson();
    const held = holdResponses(rig.padrons.proxy, 'buscar-credito');
    const answer = askCredit(rig.padrons.first, nss);
    await held.arrived(1);
    await rig.redis.kill();
    await waitUntil(
      () =>
        storeStates(rig.padrons.first).at(-1) === 'unavailable' &&
        storeStates(rig.padrons.second).at(-1) === 'unavailable',
    );
    await rig.redis.start();
    await waitForStore();
    await waitUntil(async () => (await questionStates(rig.redis)).includes('F'));
    const shared = askCredit(rig.padrons.second, nss);
    await waitUntil(() => isAwaited(rig.redis));
    held.release();
    expect([await answer, await shared]).toEqual([answeredLive, answeredShared]);
    expect(rig.padrons.calls()).toBe(1);
  });

  it('is waited for by the others if the store has lost everything and no connection broke', async () => {
    const nss = nextPerson();
    const held = holdResponses(rig.padrons.proxy, 'buscar-credito');
    const answer = askCredit(rig.padrons.first, nss);
    await held.arrived(1);
    const states = storeStates(rig.padrons.first).length;
    await rig.redis.command('FLUSHALL');
    await waitUntil(async () => (await questionStates(rig.redis)).includes('F'));
    const shared = askCredit(rig.padrons.second, nss);
    await waitUntil(() => isAwaited(rig.redis));
    held.release();
    expect([await answer, await shared]).toEqual([answeredLive, answeredShared]);
    expect(rig.padrons.calls()).toBe(1);
    expect(storeStates(rig.padrons.first)).toHaveLength(states);
  });
});
