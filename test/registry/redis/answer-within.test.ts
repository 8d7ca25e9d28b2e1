import { setTimeout as sleep } from 'node:timers/promises';
import { preparePadron } from '../../support/padrons/ledger';
import { LONG_SECRET } from '../../support/padrons/settings';
import {
  answeredLive,
  answeredShared,
  askCredit,
  sharingRig,
  startSharingPadrons,
  storeStates,
} from '../../support/padrons/sharing-padrons';
import { startProcess } from '../../support/processes/process';
import { waitUntil } from '../../support/proxies/deferred';
import { holdResponses } from '../../support/proxies/held-responses';
import { askPriced } from '../../support/requests/money';
import { engineRig } from '../../support/stores/engines';
import { startRedis } from '../../support/stores/redis';

const soon = { 'x-answer-within': '300ms' };
const patiently = { 'x-answer-within': '20s' };
const late = { outcome: 'UNAVAILABLE', problems: ['STILL_RUNNING'], spent: 0 };
const lateElsewhere = { ...late, servedFrom: 'NOT_SENT', uncertain: 0 };

const rig = sharingRig();
const { nextPerson } = rig;
/** Processes of a test. They end after the test, also if it fails. */
const started: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.stop();
});

/** Starts two padrons with a store that the test may stop. */
async function startWithRedis(settingsOfSecond = {}) {
  const redis = await startRedis();
  const padrons = await startSharingPadrons(redis, {}, settingsOfSecond);
  started.push(padrons, redis);
  return { ...padrons, redis };
}

describe('a call that continues after its response, with instances that share answers', () => {
  const stores = engineRig('postgres');

  it('answers the requests that reach two other instances, for one call, one charge and one entry of the ledger', async () => {
    const prepared = await preparePadron(stores);
    const padrons = await startSharingPadrons(rig.redis, prepared.environment);
    started.push(padrons);
    const { first, second, proxy, calls } = padrons;
    const third = await padrons.add();
    const nss = nextPerson();
    const held = holdResponses(proxy);
    expect(await askCredit(first, nss, soon)).toEqual({ ...late, servedFrom: 'LIVE', uncertain: 1 });
    for (const instance of [second, third]) expect(await askCredit(instance, nss, soon)).toEqual(lateElsewhere);
    held.release();
    for (const instance of [second, third]) expect(await askCredit(instance, nss, patiently)).toEqual(answeredShared);
    expect([calls(), first.spent()]).toEqual([1, 1]);
    await started.pop()?.stop();
    const rows = await prepared.rows();
    const sent = rows.filter(({ served_from }) => served_from !== 'REPLAY');
    expect(sent.map(({ outcome, billing, units }) => [outcome, billing, units])).toEqual([['FOUND', 'CHARGED', 1]]);
    expect(rows.reduce((sum, { units }) => sum + units, 0)).toBe(1);
  });

  it('answers the request that comes after the call has ended', async () => {
    const nss = nextPerson();
    const { first, second, proxy, calls } = rig.padrons;
    const held = holdResponses(proxy);
    await askCredit(first, nss, soon);
    held.release();
    expect(await askCredit(second, nss)).toEqual(answeredShared);
    expect(await askCredit(first, nss, { 'x-answer-within': '0ms' })).toEqual(answeredShared);
    expect(calls()).toBe(1);
  });

  it('is expected by the time since another instance began it', async () => {
    const nss = nextPerson();
    const { first, second, proxy } = rig.padrons;
    const held = holdResponses(proxy);
    await askCredit(first, nss, soon);
    await sleep(1_000);
    const query = 'query ($nss: NSS) { person(nss: $nss) { credit { problems { retryAfter } } } }';
    const { data } = await askPriced(second, { query, variables: { nss } }, soon);
    expect(data.person.credit.problems[0].retryAfter).toBeGreaterThanOrEqual(2);
    held.release();
    expect(await askCredit(second, nss)).toEqual(answeredShared);
  });

  it('is dropped while the store has not said who pays, and costs nothing', async () => {
    const { redis, first, calls } = await startWithRedis();
    const nss = nextPerson();
    redis.hang();
    const answer = await askCredit(first, nss, { 'x-answer-within': '50ms' });
    expect(answer).toEqual({ ...late, outcome: 'NOT_RUN', servedFrom: 'NOT_SENT', uncertain: 0 });
    redis.resume();
    expect(await askCredit(first, nss)).toEqual(answeredLive);
    expect(calls()).toBe(1);
  });
});

describe('a request whose response says that another instance pays', () => {
  it('does not repeat the call if that instance is killed: the next request pays and reports it', async () => {
    const nss = nextPerson();
    const { second, proxy, calls } = rig.padrons;
    const settings = { PORT: '0', REGISTRY_URL: proxy.url, REPLAY_URL: rig.redis.url, REPLAY_KEY: LONG_SECRET };
    const dying = startProcess(settings);
    const url = await dying.address();
    const held = holdResponses(proxy);
    const lost = askCredit({ url }, nss).catch(() => null);
    await held.arrived(1);
    expect(await askCredit(second, nss, soon)).toEqual(lateElsewhere);
    dying.child.kill('SIGKILL');
    await Promise.all([dying.ended(), lost]);
    held.release();
    expect(await askCredit(second, nss)).toEqual({ ...answeredLive, uncertain: 1 });
    expect(calls()).toBe(2);
  });

  it.each([
    ['waits for the store itself', false],
    ['waits for another request of its instance', true],
  ])('does not repeat it if the store is lost, but the next request does: it %s', async (_, joins) => {
    const { redis, first, second, proxy, calls } = await startWithRedis({ REGISTRY_TIMEOUT_MS: '1500' });
    const nss = nextPerson();
    const held = holdResponses(proxy);
    const payer = askCredit(first, nss);
    await held.arrived(1);
    const joined = joins ? askCredit(second, nss) : null;
    expect(await askCredit(second, nss, soon)).toEqual(lateElsewhere);
    if (joined !== null) expect((await joined).problems).toEqual(['REGISTRY_TIMEOUT']);
    await redis.kill();
    await waitUntil(() => storeStates(second).includes('unavailable'));
    held.release();
    expect(await payer).toEqual(answeredLive);
    expect(await askCredit(second, nss)).toEqual(answeredLive);
    expect(calls()).toBe(2);
  });
});
