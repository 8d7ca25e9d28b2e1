import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestAnswerStore } from '../../../src/calls/answers/answer-store';
import { MemoryAnswerStore } from '../../../src/calls/answers/memory-answer-store';
import {
  complete,
  creditOf,
  exchangeOf,
  NOW,
  newKey,
  questionOf,
  startRedisStore,
} from '../../support/stores/answer-stores';
import { redisForTests } from '../../support/stores/redis';

const waiting = { signal: new AbortController().signal };

const redis = redisForTests();

type Open = (seconds: number, now: () => Date) => Promise<RequestAnswerStore>;

/** Rules of every store, seen from the process that uses it. */
describe.each<[string, Open]>([
  ['in memory', async (seconds, now) => new MemoryAnswerStore({ seconds, now })],
  ['in Redis', (seconds, now) => startRedisStore({ url: redis.url, secrets: [newKey()], seconds, now })],
])('an answer store %s', (_name, open) => {
  let store: RequestAnswerStore;
  const start = async (seconds = 30, now = () => NOW): Promise<void> => {
    store = await open(seconds, now);
  };
  afterEach(() => store.close());

  const ask = async (nss: string, outcome: Parameters<typeof exchangeOf>[0] | 'release', parts = {}) => {
    const question = questionOf(nss, parts);
    const claim = await store.claim(question, waiting);
    if (claim.kind !== 'owned') return claim.kind;
    if (outcome === 'release') claim.call.release();
    else complete(claim.call, question, exchangeOf(outcome));
    return claim.kind;
  };

  it.each(['FOUND', 'NOT_FOUND'] as const)('keeps answers: %s', async (outcome) => {
    await start();
    expect(await ask('1', outcome)).toBe('owned');
    expect(store.getLocal(questionOf('1'))?.outcome).toBe(outcome);
    expect((await store.get(questionOf('1')))?.outcome).toBe(outcome);
  });

  it('keeps no failure, and nothing that was not asked', async () => {
    await start();
    expect(await ask('1', 'UNAVAILABLE')).toBe('owned');
    expect(await ask('2', 'release')).toBe('owned');
    for (const nss of ['1', '2']) {
      expect(await store.get(questionOf(nss))).toBeUndefined();
      expect(await ask(nss, 'FOUND')).toBe('owned');
    }
  });

  it('keeps accounts and modes apart', async () => {
    await start();
    await ask('1', 'FOUND');
    const { caller } = questionOf('1');
    const stranger = { caller: { ...caller, bearer: 'another', account: 'another' } };
    const sandbox = { caller: { ...caller, sandbox: true } };
    for (const parts of [stranger, sandbox]) {
      expect(await store.get(questionOf('1', parts))).toBeUndefined();
      expect(await ask('1', 'FOUND', parts)).toBe('owned');
    }
  });

  it('keeps nothing beyond its window', async () => {
    await start(1);
    await ask('1', 'FOUND');
    await sleep(1_300);
    expect(await store.get(questionOf('1'))).toBeUndefined();
    expect(store.size).toBe(0);
  });

  it('keeps nothing if the window is 0', async () => {
    await start(0);
    await ask('1', 'FOUND');
    expect(await store.get(questionOf('1'))).toBeUndefined();
    expect(await ask('1', 'FOUND')).toBe('owned');
  });

  it('returns no answer that has expired before the window ends', async () => {
    let now = NOW;
    const endpoint = {
      ...creditOf,
      isFresh: (answered: Date, today: Date) => answered.getUTCDate() === today.getUTCDate(),
    };
    await start(3_600, () => now);
    await ask('1', 'FOUND', { endpoint });
    expect(await store.get(questionOf('1', { endpoint }))).toBeDefined();
    now = new Date('2026-11-21T00:00:01Z');
    expect(await store.get(questionOf('1', { endpoint }))).toBeUndefined();
  });

  it('clears its memory when it is closed', async () => {
    await start();
    await ask('1', 'FOUND');
    expect(store.size).toBe(1);
    await store.close();
    expect(store.size).toBe(0);
  });
});
