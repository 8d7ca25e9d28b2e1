import { setTimeout as sleep } from 'node:timers/promises';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { startRedis } from '../../support/stores/redis';
import { startRedisCluster } from '../redis/redis-cluster';
import { type Instances, startInstances } from './instances';
import { askLicence } from './licence-questions';
import { newReplayKey, withSharing } from './shared-store';

const patience = 60_000;

/** Where the answer to a question came from, asked of one instance. */
async function source(sharing: Instances, instance: number, index: number, headers = {}): Promise<string> {
  const answer = await askLicence(sharing.urlOf(instance), index, { headers });
  return `${answer?.servedFrom} ${answer?.spent}`;
}

describe('what one instance was answered', () => {
  it(
    'is taken by the others, at no cost, within a budget of nothing',
    async () => {
      await withSharing({ count: 3 }, async (sharing) => {
        expect(await source(sharing, 0, 1)).toBe('LIVE 1');
        expect(await source(sharing, 1, 1)).toBe('REPLAY 0');
        expect(await source(sharing, 2, 1, { 'x-max-units': '0' })).toBe('REPLAY 0');
        expect(sharing.paid()).toBe(1);
      });
    },
    patience,
  );

  it(
    'serves for its window in all, whoever relays it',
    async () => {
      await withSharing({ count: 3, settings: { REPLAY_SECONDS: '4' } }, async (sharing) => {
        expect(await source(sharing, 0, 1)).toBe('LIVE 1');
        await sleep(2_500);
        expect(await source(sharing, 1, 1)).toBe('REPLAY 0');
        await sleep(2_000);
        // Taken from another instance 2 s ago, and asked of the service more than 4 s ago.
        expect(await source(sharing, 1, 1)).toBe('LIVE 1');
        expect(await source(sharing, 2, 1)).toBe('REPLAY 0');
        expect(sharing.paid()).toBe(2);
      });
    },
    patience,
  );

  it(
    'is nothing to another account, nor to the sandbox mode',
    async () => {
      await withSharing({ count: 2 }, async (sharing) => {
        await source(sharing, 0, 1);
        expect(await source(sharing, 1, 1, { authorization: `Bearer ${OTHER_TOKEN}` })).toBe('LIVE 1');
        expect(await source(sharing, 1, 1, { 'x-sandbox': 'true' })).toBe('SANDBOX 0');
        expect([sharing.paid(), sharing.paid(OTHER_TOKEN)]).toEqual([1, 1]);
      });
    },
    patience,
  );

  it(
    'is shared through a cluster',
    async () => {
      const cluster = await startRedisCluster();
      const [node] = cluster.nodes;
      const settings = {
        REPLAY_URL: `${node?.url}?cluster=true`,
        REPLAY_KEY: newReplayKey(),
      };
      const instances = await startInstances({ count: 2, settings }).catch(async (error: unknown) => {
        await cluster.stop();
        throw error;
      });
      try {
        for (let index = 0; index < 20; index += 1) {
          // Each account has a slot of its own, so that accounts reach all three.
          const headers = { authorization: `Bearer ${index % 2 === 0 ? SANDBOX_TOKEN : OTHER_TOKEN}` };
          expect(await source(instances, 0, index, headers)).toBe('LIVE 1');
          expect(await source(instances, 1, index, headers)).toBe('REPLAY 0');
        }
      } finally {
        await instances.stop();
        await cluster.stop();
      }
    },
    patience,
  );
});

describe('REPLAY_KEY', () => {
  const [old, fresh] = [newReplayKey(), newReplayKey()];

  it.each([
    ['goes on sharing while the new one is added', old, `${fresh},${old}`, 'REPLAY 0'],
    ['goes on sharing while it is added, the other way too', `${fresh},${old}`, old, 'REPLAY 0'],
    ['goes on sharing while the old one is removed', `${fresh},${old}`, fresh, 'REPLAY 0'],
    ['goes on sharing while it is removed, the other way too', fresh, `${fresh},${old}`, 'REPLAY 0'],
    ['shares nothing with whoever has another one, and asks', old, fresh, 'LIVE 1'],
  ])(
    '%s',
    async (_what, first, second, expected) => {
      const settingsOf = (index: number) => ({ REPLAY_KEY: index === 0 ? first : second });
      await withSharing({ count: 2, settingsOf }, async (sharing) => {
        expect(await source(sharing, 0, 1)).toBe('LIVE 1');
        expect(await source(sharing, 1, 1)).toBe(expected);
      });
    },
    patience,
  );
});

describe('services', () => {
  it(
    'share nothing with each other through the same store',
    async () => {
      const redis = await startRedis();
      const settings = { REPLAY_URL: redis.url, REPLAY_KEY: newReplayKey() };
      const both = await Promise.all([startInstances({ count: 1, settings }), startInstances({ count: 1, settings })]);
      try {
        for (const instances of both) expect(await source(instances, 0, 1)).toBe('LIVE 1');
      } finally {
        await Promise.all(both.map((instances) => instances.stop()));
        await redis.stop();
      }
    },
    patience,
  );
});
