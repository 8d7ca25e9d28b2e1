import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Answer, notSent, type Outcome } from '../../../src/registry/answer/answer';
import { type Problem, problem } from '../../../src/registry/answer/problem';
import { type AnyEndpoint, endpoint } from '../../../src/registry/endpoint/endpoint';
import type { MemoryOptions, StoredQuestion } from '../../../src/registry/replay/answer-store';
import { WaitingRequest } from '../../../src/registry/replay/in-flight-call';
import type { ReplayCache } from '../../../src/registry/replay/replay-cache';
import { memoryReplay } from '../../support/stores/memory-replay';

const ANSWERED = new Date('2026-11-20T12:00:00Z');

const parts = {
  name: 'test',
  registry: 'housing',
  method: 'POST',
  path: '/api/test',
  encoding: 'query',
  envelope: 'record',
  units: 1,
  permission: null,
  scope: 'test',
  batch: false,
  schema: z.unknown(),
  toWire: () => ({}),
  argumentPaths: {},
} as const;
const plain = endpoint(parts);
/** Its answers are good on the day that they are given. */
const daily = endpoint({ ...parts, isFresh: (answered, now) => answered.getUTCDate() === now.getUTCDate() });

function answer(outcome: Outcome = 'FOUND', bytes = 10, problems: readonly Problem[] = []): Answer<unknown> {
  const evidence = { ...notSent('POST /api/test'), servedFrom: 'LIVE', checkedAt: ANSWERED } as const;
  return { outcome, payload: {}, evidence, problems, bytes };
}

const waiting = (client = new AbortController()) => new WaitingRequest(client.signal);
const remember = (options: Partial<MemoryOptions> = {}) =>
  memoryReplay({ seconds: 30, now: () => ANSWERED, ...options });
const caller = { bearer: 'token', account: 'account', sandbox: false, usesServerToken: false, permissions: null };
const ask = (key: string, about: AnyEndpoint = plain): StoredQuestion => ({
  key,
  endpoint: about,
  question: {},
  cacheKey: key,
  caller,
  price: 1,
  operation: null,
});
const put = (replay: ReplayCache, key: string, value = answer(), about: AnyEndpoint = plain) => {
  const question = ask(key, about);
  return replay.run(question, waiting(), async (call) => {
    const claim = await replay.store.claim(question, call);
    if (claim.kind === 'owned') claim.flight.land(value);
    return value;
  });
};
const has = (replay: ReplayCache, key: string, about: AnyEndpoint = plain): boolean =>
  replay.get(ask(key, about), waiting()) !== undefined;

describe('what is remembered', () => {
  it('is bounded in entries: the one that was used longest ago goes first', async () => {
    const replay = remember({ maxEntries: 2 });
    await put(replay, 'one');
    await put(replay, 'two');
    expect(has(replay, 'one')).toBe(true);
    await put(replay, 'three');
    expect(['one', 'two', 'three'].map((key) => has(replay, key))).toEqual([true, false, true]);
    expect(replay.size).toBe(2);
  });

  it('is bounded in bytes', async () => {
    const replay = remember({ maxBytes: 100_000 });
    for (const key of ['one', 'two', 'three']) await put(replay, key, answer('FOUND', 40_000));
    expect(['one', 'two', 'three'].map((key) => has(replay, key))).toEqual([false, true, true]);
  });

  it('does without an answer that is larger than all of it', async () => {
    const replay = remember({ maxBytes: 100_000 });
    await put(replay, 'small');
    await put(replay, 'large', answer('FOUND', 200_000));
    expect(['small', 'large'].map((key) => has(replay, key))).toEqual([true, false]);
  });

  it('is gone after its window, also when nobody asks', async () => {
    const replay = remember({ seconds: 1 });
    await put(replay, 'one');
    expect(replay.size).toBe(1);
    await sleep(1_200);
    expect(replay.size).toBe(0);
  });

  it('is gone at once when it is cleared', async () => {
    const replay = remember();
    await put(replay, 'one');
    await replay.store.close();
    expect([replay.size, has(replay, 'one')]).toEqual([0, false]);
  });

  it.each<[string, Answer<unknown>, boolean]>([
    ['an answer', answer('FOUND'), true],
    ['that the registry holds nothing', answer('NOT_FOUND'), true],
    ['an answer about somebody else', answer('FOUND', 10, [problem('ANSWER_MISMATCH')]), false],
    ['a refusal', answer('INVALID_INPUT'), false],
    ['a missing permission', answer('NOT_PERMITTED'), false],
    ['a failure', answer('UNAVAILABLE'), false],
    ['what was not asked', answer('NOT_RUN'), false],
  ])('holds %s: %#', async (_what, value, remembered) => {
    const replay = remember();
    await put(replay, 'key', value);
    expect(has(replay, 'key')).toBe(remembered);
    expect(replay.size).toBe(remembered ? 1 : 0);
  });

  it('holds nothing of a call that broke', async () => {
    const replay = remember();
    const broken = replay.run(ask('key'), waiting(), () => Promise.reject(new Error('broken')));
    await expect(broken).rejects.toThrow('broken');
    expect([replay.size, has(replay, 'key')]).toEqual([0, false]);
  });
});

describe('an answer that is good for less than the window', () => {
  it('serves until then', async () => {
    let now = ANSWERED;
    const replay = remember({ now: () => now });
    await put(replay, 'key', answer(), daily);
    now = new Date('2026-11-20T23:59:59Z');
    expect(has(replay, 'key', daily)).toBe(true);
    now = new Date('2026-11-21T00:00:00Z');
    expect(has(replay, 'key', daily)).toBe(false);
  });

  it('does not serve those who came when it was over, though the call was still under way', async () => {
    let now = ANSWERED;
    let deliver = (_: Answer<unknown>): void => {};
    const replay = remember({ now: () => now });
    const first = replay.run(ask('key', daily), waiting(), () => new Promise((resolve) => (deliver = resolve)));
    const before = replay.get(ask('key', daily), waiting());
    now = new Date('2026-11-21T00:00:00Z');
    const after = replay.get(ask('key', daily), waiting());
    deliver(answer());
    expect((await first)?.outcome).toBe('FOUND');
    expect(await before).toBeNull();
    expect(await after).toBeNull();
  });
});

describe('a call that was dropped because nobody waited', () => {
  const droppable = (signal: AbortSignal): Promise<Answer<unknown>> =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(answer('NOT_RUN', 0, [problem('CALLER_GONE')])));
    });

  it('is told to whoever left, and is no answer for who comes in the same moment', async () => {
    const replay = remember();
    const leaver = new AbortController();
    const left = replay.run(ask('key'), waiting(leaver), ({ signal }) => droppable(signal));
    leaver.abort();
    const late = replay.get(ask('key'), waiting());
    expect(late).toBeDefined();
    expect((await left)?.problems.map(({ code }) => code)).toEqual(['CALLER_GONE']);
    expect(await late).toBeNull();
    expect(has(replay, 'key')).toBe(false);
  });

  it('goes on as long as one of them waits', async () => {
    const replay = remember();
    const [firstCaller, secondCaller] = [new AbortController(), new AbortController()];
    let dropped = false;
    const first = replay.run(ask('key'), waiting(firstCaller), ({ signal }) => {
      signal.addEventListener('abort', () => {
        dropped = true;
      });
      return droppable(signal);
    });
    const second = replay.get(ask('key'), waiting(secondCaller));
    firstCaller.abort();
    expect(dropped).toBe(false);
    secondCaller.abort();
    expect(dropped).toBe(true);
    await Promise.all([first, second]);
  });
});
