import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type InFlightCall, InFlightCalls, WaitingRequest } from '../../../src/calls/answers/in-flight-calls';
import { MemoryAnswers, type MemoryOptions } from '../../../src/calls/answers/memory-answers';
import { type KeyedQuestion, toShared } from '../../../src/calls/answers/shared-answer';
import { type Answer, notSent, type Outcome } from '../../../src/registry/answer/answer';
import { type Problem, problem } from '../../../src/registry/answer/problem';
import { type AnyEndpoint, endpoint } from '../../../src/registry/endpoint/endpoint';

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
interface Replay {
  readonly memory: MemoryAnswers;
  readonly calls: InFlightCalls;
}
const remember = (options: Partial<MemoryOptions> = {}): Replay => {
  const { now = () => ANSWERED } = options;
  return { memory: new MemoryAnswers({ seconds: 30, ...options, now }), calls: new InFlightCalls(now) };
};
/** Number of questions that are answered or in progress. */
const sizeOf = ({ memory, calls }: Replay): number => memory.size + calls.size;
const caller = { bearer: 'token', account: 'account', sandbox: false, usesServerToken: false, permissions: null };
const ask = (key: string, about: AnyEndpoint = plain): KeyedQuestion => ({
  key,
  endpoint: about,
  question: {},
  cacheKey: key,
  caller,
  price: 1,
  operation: null,
});
/** Asks a question that others may join, as the runner of questions does. */
async function run(
  { calls }: Replay,
  question: KeyedQuestion,
  request: WaitingRequest,
  fetch: (call: InFlightCall) => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  const call = calls.begin(question, request);
  try {
    call.result = fetch(call).then((answer) => ({ answer, shared: toShared(answer, null) }));
    return (await call.result).answer;
  } finally {
    calls.end(question, request, call);
  }
}
const put = ({ memory }: Replay, key: string, value = answer(), about: AnyEndpoint = plain): void =>
  memory.keep(ask(key, about), value);
const has = ({ memory, calls }: Replay, key: string, about: AnyEndpoint = plain): boolean =>
  (calls.join(ask(key, about), waiting()) ?? memory.get(ask(key, about))) !== undefined;

describe('the answers in memory', () => {
  it('are limited in number: the least recently used is removed first', () => {
    const replay = remember({ maxEntries: 2 });
    put(replay, 'one');
    put(replay, 'two');
    expect(has(replay, 'one')).toBe(true);
    put(replay, 'three');
    expect(['one', 'two', 'three'].map((key) => has(replay, key))).toEqual([true, false, true]);
    expect(sizeOf(replay)).toBe(2);
  });

  it('are limited in bytes', async () => {
    const replay = remember({ maxBytes: 100_000 });
    for (const key of ['one', 'two', 'three']) put(replay, key, answer('FOUND', 40_000));
    expect(['one', 'two', 'three'].map((key) => has(replay, key))).toEqual([false, true, true]);
  });

  it('do not include an answer that exceeds the limit alone', async () => {
    const replay = remember({ maxBytes: 100_000 });
    put(replay, 'small');
    put(replay, 'large', answer('FOUND', 200_000));
    expect(['small', 'large'].map((key) => has(replay, key))).toEqual([true, false]);
  });

  it('are removed after the window, even without a lookup', async () => {
    const replay = remember({ seconds: 1 });
    put(replay, 'one');
    expect(sizeOf(replay)).toBe(1);
    await sleep(1_200);
    expect(sizeOf(replay)).toBe(0);
  });

  it('are removed immediately by clear', async () => {
    const replay = remember();
    put(replay, 'one');
    replay.memory.clear();
    expect([sizeOf(replay), has(replay, 'one')]).toEqual([0, false]);
  });

  it.each<[string, Answer<unknown>, boolean]>([
    ['an answer', answer('FOUND'), true],
    ['an answer without a record', answer('NOT_FOUND'), true],
    ['an answer about another person', answer('FOUND', 10, [problem('ANSWER_MISMATCH')]), false],
    ['a refusal', answer('INVALID_INPUT'), false],
    ['a missing permission', answer('NOT_PERMITTED'), false],
    ['a failure', answer('UNAVAILABLE'), false],
    ['an answer without a call', answer('NOT_RUN'), false],
  ])('include %s: %#', async (_what, value, remembered) => {
    const replay = remember();
    put(replay, 'key', value);
    expect(has(replay, 'key')).toBe(remembered);
    expect(sizeOf(replay)).toBe(remembered ? 1 : 0);
  });

  it('include nothing of a call that threw', async () => {
    const replay = remember();
    const broken = run(replay, ask('key'), waiting(), () => Promise.reject(new Error('broken')));
    await expect(broken).rejects.toThrow('broken');
    expect([sizeOf(replay), has(replay, 'key')]).toEqual([0, false]);
  });
});

describe('an answer that is valid for less than the window', () => {
  it('is reused until then', async () => {
    let now = ANSWERED;
    const replay = remember({ now: () => now });
    put(replay, 'key', answer(), daily);
    now = new Date('2026-11-20T23:59:59Z');
    expect(has(replay, 'key', daily)).toBe(true);
    now = new Date('2026-11-21T00:00:00Z');
    expect(has(replay, 'key', daily)).toBe(false);
  });

  it('is not given to requests that arrived after that time while the call was in progress', async () => {
    let now = ANSWERED;
    let deliver = (_: Answer<unknown>): void => {};
    const replay = remember({ now: () => now });
    const first = run(replay, ask('key', daily), waiting(), () => new Promise((resolve) => (deliver = resolve)));
    const before = replay.calls.join(ask('key', daily), waiting());
    now = new Date('2026-11-21T00:00:00Z');
    const after = replay.calls.join(ask('key', daily), waiting());
    deliver(answer());
    expect((await first).outcome).toBe('FOUND');
    expect(await before).toBeNull();
    expect(await after).toBeNull();
  });
});

describe('a call that was cancelled because no client waited', () => {
  const droppable = (signal: AbortSignal): Promise<Answer<unknown>> =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(answer('NOT_RUN', 0, [problem('CALLER_GONE')])));
    });

  it('is reported to the client that left, and is not an answer for a client that arrives at the same moment', async () => {
    const replay = remember();
    const leaver = new AbortController();
    const left = run(replay, ask('key'), waiting(leaver), ({ signal }) => droppable(signal));
    leaver.abort();
    const late = replay.calls.join(ask('key'), waiting());
    expect(late).toBeDefined();
    expect((await left).problems.map(({ code }) => code)).toEqual(['CALLER_GONE']);
    expect(await late).toBeNull();
    expect(has(replay, 'key')).toBe(false);
  });

  it('continues while one client still waits', async () => {
    const replay = remember();
    const [firstCaller, secondCaller] = [new AbortController(), new AbortController()];
    let dropped = false;
    const first = run(replay, ask('key'), waiting(firstCaller), ({ signal }) => {
      signal.addEventListener('abort', () => {
        dropped = true;
      });
      return droppable(signal);
    });
    const second = replay.calls.join(ask('key'), waiting(secondCaller));
    firstCaller.abort();
    expect(dropped).toBe(false);
    secondCaller.abort();
    expect(dropped).toBe(true);
    await Promise.all([first, second]);
  });
});
