import { people } from '../../../src/sandbox/data/people';
import { waitUntil } from '../../support/deferred';
import { holdResponses } from '../../support/held-responses';
import type { RunningPadron } from '../../support/padron';
import { type RedisServer, startRedis } from '../../support/redis';
import {
  answeredLive,
  answeredShared,
  askCredit,
  isAwaited,
  questionStates,
  type SharingPadrons,
  startSharingPadrons,
  storeStates,
} from '../../support/sharing-padrons';

const indebted = people.filter(({ credit }) => credit !== null && credit !== '').map(({ nss }) => nss);

let redis: RedisServer;
let padrons: SharingPadrons;
let used = 0;
const nextPerson = (): string => indebted[used++] ?? '';

beforeAll(async () => {
  redis = await startRedis();
  // Whoever waits for a call that is over learns it soon.
  padrons = await startSharingPadrons(redis, { REGISTRY_TIMEOUT_MS: '4000' });
});
beforeEach(() => padrons.proxy.reset());
afterAll(async () => {
  redis.resume();
  await padrons.stop();
  await redis.stop();
});

/** Lets a padron find out that the store is away: a call that ends then is not even tried to be left there. */
async function noticeAbsence(padron: RunningPadron): Promise<void> {
  await padron.ask('query Notice($nss: NSS) { person(nss: $nss) { housingAccount { outcome } } }', {
    nss: nextPerson(),
  });
  expect(storeStates(padron).at(-1)).toBe('away');
}

/** Waits until the store is back, and knows of so many answers and of no call. */
async function waitForAnswers(count: number): Promise<void> {
  await waitForStore();
  await waitUntil(async () => {
    const states = await questionStates(redis);
    return states.length === count && states.every((state) => state === 'A');
  });
}

async function waitForStore(): Promise<void> {
  await waitUntil(() => [padrons.first, padrons.second].every((padron) => storeStates(padron).at(-1) !== 'away'));
}

describe('a call that one instance ends while the store is away', () => {
  it('is an answer for the others, once the store is back', async () => {
    const nss = nextPerson();
    const before = (await questionStates(redis)).length;
    const held = holdResponses(padrons.proxy, 'buscar-credito');
    const answer = askCredit(padrons.first, nss);
    await held.arrived(1);
    redis.hang();
    await noticeAbsence(padrons.first);
    held.release();
    expect(await answer).toEqual(answeredLive);
    redis.resume();
    await waitForAnswers(before + 2);
    padrons.proxy.reset();
    expect(await askCredit(padrons.second, nss)).toEqual(answeredShared);
    expect(padrons.calls()).toBe(0);
  });

  it('keeps nobody waiting where it failed', async () => {
    const nss = nextPerson();
    const before = (await questionStates(redis)).length;
    const failing = holdResponses(padrons.proxy, 'buscar-credito', { status: 503, json: {} });
    const answer = askCredit(padrons.first, nss);
    await failing.arrived(1);
    redis.hang();
    await noticeAbsence(padrons.first);
    failing.release();
    expect(await answer).toMatchObject({ outcome: 'UNAVAILABLE', servedFrom: 'LIVE' });
    redis.resume();
    await waitForAnswers(before + 1);
    padrons.proxy.reset();
    expect(await askCredit(padrons.second, nss)).toEqual(answeredLive);
    expect(padrons.calls()).toBe(1);
  });

  it('is an answer for the others where it began meanwhile, too', async () => {
    const nss = nextPerson();
    const before = (await questionStates(redis)).length;
    redis.hang();
    await noticeAbsence(padrons.first);
    expect(await askCredit(padrons.first, nss)).toEqual(answeredLive);
    redis.resume();
    await waitForAnswers(before + 2);
    padrons.proxy.reset();
    expect(await askCredit(padrons.second, nss)).toEqual(answeredShared);
    expect(padrons.calls()).toBe(0);
  });

  it('is waited for by the others where it goes on, and the store has forgotten it', async () => {
    const nss = nextPerson();
    const held = holdResponses(padrons.proxy, 'buscar-credito');
    const answer = askCredit(padrons.first, nss);
    await held.arrived(1);
    await redis.kill();
    await waitUntil(
      () => storeStates(padrons.first).at(-1) === 'away' && storeStates(padrons.second).at(-1) === 'away',
    );
    await redis.start();
    await waitForStore();
    await waitUntil(async () => (await questionStates(redis)).includes('F'));
    const shared = askCredit(padrons.second, nss);
    await waitUntil(() => isAwaited(redis));
    held.release();
    expect([await answer, await shared]).toEqual([answeredLive, answeredShared]);
    expect(padrons.calls()).toBe(1);
  });

  it('is waited for by the others where the store has forgotten all, and no connection broke', async () => {
    const nss = nextPerson();
    const held = holdResponses(padrons.proxy, 'buscar-credito');
    const answer = askCredit(padrons.first, nss);
    await held.arrived(1);
    const states = storeStates(padrons.first).length;
    await redis.command('FLUSHALL');
    await waitUntil(async () => (await questionStates(redis)).includes('F'));
    const shared = askCredit(padrons.second, nss);
    await waitUntil(() => isAwaited(redis));
    held.release();
    expect([await answer, await shared]).toEqual([answeredLive, answeredShared]);
    expect(padrons.calls()).toBe(1);
    expect(storeStates(padrons.first)).toHaveLength(states);
  });
});
