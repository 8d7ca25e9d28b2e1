import { people } from '../../../src/sandbox/data/people';
import {
  answeredLive,
  answeredShared,
  askCredit,
  type SharingPadrons,
  startSharingPadrons,
} from '../../support/padrons/sharing-padrons';
import { holdResponses } from '../../support/proxies/held-responses';
import { type RedisServer, startRedis } from '../../support/stores/redis';

const indebted = people.filter(({ credit }) => credit !== null && credit !== '');
let asked = 0;
/** Returns the NSS of a person about whom no test has asked. */
const nextPerson = (): string => indebted[asked++]?.nss ?? '';

let redis: RedisServer;
let padrons: SharingPadrons;
beforeAll(async () => {
  redis = await startRedis();
  padrons = await startSharingPadrons(redis, { REGISTRY_TIMEOUT_MS: '15000' }, { REGISTRY_TIMEOUT_MS: '800' });
});
beforeEach(() => padrons.proxy.reset());
afterAll(async () => {
  await padrons.stop();
  await redis.stop();
});

describe('an instance that waits for the call of another instance', () => {
  it("waits no longer than a call's deadline, and pays nothing while the other instance continues", async () => {
    const nss = nextPerson();
    const held = holdResponses(padrons.proxy);
    const answer = askCredit(padrons.first, nss);
    await held.arrived(1);
    expect(await askCredit(padrons.second, nss)).toEqual({
      outcome: 'NOT_RUN',
      servedFrom: 'NOT_SENT',
      problems: ['REGISTRY_TIMEOUT'],
      spent: 0,
      uncertain: 0,
    });
    expect(padrons.calls()).toBe(1);
    held.release();
    expect(await answer).toEqual(answeredLive);
    expect(await askCredit(padrons.second, nss)).toEqual(answeredShared);
    expect(padrons.calls()).toBe(1);
  });
});

const soon = { 'x-answer-within': '300ms' };
const late = { outcome: 'UNAVAILABLE', problems: ['STILL_RUNNING'], spent: 0 };

describe('a call that continues after its response, with instances that share answers', () => {
  it('answers the request that reaches another instance, for one unit in all', async () => {
    const nss = nextPerson();
    const { first, second, proxy } = padrons;
    const held = holdResponses(proxy);
    expect(await askCredit(first, nss, soon)).toEqual({ ...late, servedFrom: 'LIVE', uncertain: 1 });
    expect(await askCredit(second, nss, soon)).toEqual({ ...late, servedFrom: 'NOT_SENT', uncertain: 0 });
    held.release();
    expect(await askCredit(second, nss, { 'x-answer-within': '20s' })).toEqual(answeredShared);
    expect(padrons.calls()).toBe(1);
  });

  it('answers the request that comes after the call has ended', async () => {
    const nss = nextPerson();
    const { first, second, proxy } = padrons;
    const held = holdResponses(proxy);
    await askCredit(first, nss, soon);
    held.release();
    expect(await askCredit(second, nss)).toEqual(answeredShared);
    expect(await askCredit(first, nss, { 'x-answer-within': '0ms' })).toEqual(answeredShared);
    expect(padrons.calls()).toBe(1);
  });
});
