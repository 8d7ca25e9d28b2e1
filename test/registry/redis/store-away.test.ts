import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisAnswerStore } from '../../../src/registry/redis/redis-answer-store';
import { waitUntil } from '../../support/proxies/deferred';
import { complete, exchangeOf, newKey, questionOf, startRedisStore } from '../../support/stores/answer-stores';
import { type RedisServer, startRedis } from '../../support/stores/redis';

const waiting = { signal: new AbortController().signal };
const question = questionOf('1');

describe('a store that accepts connections and closes them', () => {
  let server: Server;
  let store: RedisAnswerStore;
  const unheard: unknown[] = [];
  const hear = (error: unknown): void => void unheard.push(error);
  beforeAll(async () => {
    process.on('unhandledRejection', hear);
    server = createServer((socket) => setTimeout(() => socket.destroy(), 5)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    store = await startRedisStore({
      url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
      secrets: [newKey()],
    });
  });
  afterAll(async () => {
    await store.close();
    server.close();
    process.off('unhandledRejection', hear);
  });

  it('makes each instance work alone, without an unhandled error', async () => {
    const claim = await store.claim(question, waiting);
    expect(claim.kind).toBe('owned');
    await sleep(3_000);
    expect(unheard).toEqual([]);
  });
});

describe('a store that hangs', () => {
  let redis: RedisServer;
  const open: RedisAnswerStore[] = [];
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    redis.resume();
    await Promise.all(open.map((store) => store.close()));
    await redis.stop();
  });

  it('does not extend the window of an answer that was stored meanwhile', async () => {
    const secrets = [newKey()];
    const start = () => startRedisStore({ url: redis.url, secrets, seconds: 2 });
    const [first, second] = await Promise.all([start(), start()]);
    open.push(first, second);
    const claim = await first.claim(question, waiting);
    redis.hang();
    if (claim.kind === 'owned') complete(claim.call, question, exchangeOf('FOUND'));
    await sleep(2_500);
    redis.resume();
    // A new request makes a new call, because nothing older than the window is stored.
    await waitUntil(async () => (await second.claim(question, waiting)).kind === 'owned');
    expect(await second.get(question)).toBeUndefined();
  });

  it('delays neither a claim, nor a lookup, nor a stop', async () => {
    const store = await startRedisStore({ url: redis.url, secrets: [newKey()] });
    redis.hang();
    const started = performance.now();
    expect((await store.claim(questionOf('2'), waiting)).kind).toBe('owned');
    expect(await store.get(questionOf('3'))).toBeUndefined();
    await store.close();
    // A quarter of a second, and what a busy machine adds.
    expect(performance.now() - started).toBeLessThan(2_500);
    redis.resume();
  });
});
