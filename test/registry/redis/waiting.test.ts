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
