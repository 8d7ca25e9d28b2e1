import { setTimeout as sleep } from 'node:timers/promises';
import { askLicence } from '../../reliability/instances/licence-questions';
import { type SharingPadrons, startSharingPadrons } from '../../support/padrons/sharing-padrons';
import { type RedisServer, startRedis } from '../../support/stores/redis';

const limit = 4;

let redis: RedisServer;
let padrons: SharingPadrons;
let asked = 0;

beforeEach(async () => {
  redis = await startRedis();
  padrons = await startSharingPadrons(redis, { REGISTRY_CONCURRENCY: String(limit) });
  padrons.proxy.tamper(async () => {
    await sleep(60);
    return null;
  });
  // Each has heard of the other.
  await sleep(1_500);
});
afterEach(async () => {
  await padrons.stop();
  await redis.stop();
});

/** Keeps each instance busier than all of them may be, until the work is over. */
async function keepBusy(work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const clients = [padrons.first, padrons.second].flatMap(({ url }) =>
    Array.from({ length: 2 * limit }, async () => {
      while (!isOver) {
        asked += 1;
        await askLicence(url, asked);
      }
    }),
  );
  await work();
  isOver = true;
  await Promise.all(clients);
}

describe('the limit of concurrent calls of one account', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['was emptied', () => redis.command('FLUSHALL')],
    [
      'was restarted',
      async () => {
        await redis.kill();
        await redis.start();
      },
    ],
  ])('are never more than its limit while instances find each other again in a store that %s', async (_what, empty) => {
    await keepBusy(async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        await empty();
        await sleep(1_300);
      }
    });
    expect(padrons.proxy.maxConcurrent('sandbox-token')).toBe(limit);
  });
});
