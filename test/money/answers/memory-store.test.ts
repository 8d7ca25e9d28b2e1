import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { CallerWindow } from '../../../src/money/answers/caller-window';
import { MemoryAnswers, type MemoryOptions } from '../../../src/money/answers/memory-answers';
import { type KeyedQuestion, toShared } from '../../../src/money/answers/shared-answer';
import { type InFlightCall, WaitingRequest } from '../../../src/money/calls/in-flight-call';
import { InFlightCalls } from '../../../src/money/calls/in-flight-calls';
import { OperationBudgets } from '../../../src/money/calls/units/operation-budgets';
import { type Answer, type Outcome, unsentEvidence } from '../../../src/registry/answer/answer';
import { type Problem, problem } from '../../../src/registry/answer/problem';
import { type Caller, tenantOf } from '../../../src/registry/caller';
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
  matches: 'NAMES_NOBODY',
} as const;
const plain = endpoint(parts);
/** Its answers are good on the day that they are given. */
const daily = endpoint({ ...parts, isFresh: (answered, now) => answered.getUTCDate() === now.getUTCDate() });

function answer(outcome: Outcome = 'FOUND', bytes = 10, problems: readonly Problem[] = []): Answer<unknown> {
  const evidence = { ...unsentEvidence('POST /api/test'), servedFrom: 'LIVE', checkedAt: ANSWERED } as const;
  return { outcome, payload: {}, evidence, problems, bytes };
}

const waiting = (client = new AbortController()) => new WaitingRequest(client.signal);
interface Replay {
  readonly memory: MemoryAnswers;
  readonly calls: InFlightCalls;
}
const remember = (options: Partial<MemoryOptions> = {}): Replay => {
  const { now = () => ANSWERED } = options;
  return { memory: new MemoryAnswers({ windowMs: 30_000, ...options, now }), calls: new InFlightCalls(now) };
};
/** Number of questions that are answered or in progress. */
const sizeOf = ({ memory, calls }: Replay): number => memory.size + calls.size;
const caller = {
  bearer: 'token',
  account: 'account',
  tenant: 'account',
  sandbox: false,
  usesServerToken: false,
  permissions: null,
};
const ask = (key: string, about: AnyEndpoint = plain, asker: Caller = caller): KeyedQuestion => ({
  key,
  endpoint: about,
  question: {},
  cacheKeys: [key],
  caller: asker,
  price: 1,
  purpose: null,
  lasting: null,
  reuse: null,
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
  memory.keep(ask(key, about), value, performance.now());
const has = ({ memory, calls }: Replay, key: string, about: AnyEndpoint = plain): boolean =>
  (calls.join(ask(key, about), waiting()) ?? memory.find(ask(key, about), null)) !== undefined;

describe('the answers in memory', () => {
  it('are limited in number, because each counts 2,000 bytes more: the least recently used is removed first', () => {
    const replay = remember({ maxBytes: 2 * 2_010 });
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
    const replay = remember({ windowMs: 1_000 });
    put(replay, 'one');
    expect(sizeOf(replay)).toBe(1);
    await sleep(1_200);
    expect(sizeOf(replay)).toBe(0);
  });

  it('are removed immediately if they are forgotten', async () => {
    const replay = remember();
    put(replay, 'one');
    replay.memory.forget();
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

describe('what tenants leave in memory', () => {
  const owner = { holder: null, purpose: null };
  const [victim, attacker] = ['payroll', 'kiosk'].map((client) => ({ ...caller, tenant: tenantOf('account', client) }));
  if (victim === undefined || attacker === undefined) throw new Error('There are two tenants.');
  const kinds: Readonly<Record<string, () => { keep(tenant: Caller, key: string): void; has(key: string): boolean }>> =
    {
      'paid answers': () => {
        const memory = new MemoryAnswers({ windowMs: 30_000, maxBytes: 10 * 2_010, now: () => ANSWERED });
        return {
          keep: (tenant, key) => memory.keep(ask(key, plain, tenant), answer(), performance.now()),
          has: (key) => memory.find(ask(key), null) !== undefined,
        };
      },
      'early answers': () => {
        const windowOf = ({ tenant }: Caller) => new CallerWindow(memory, tenant, owner, null);
        const memory = new MemoryAnswers({ windowMs: 0, maxBytes: 10 * 2_010, now: () => ANSWERED });
        return {
          keep: (tenant, key) => windowOf(tenant).keep(ask(key), toShared(answer(), null), performance.now()),
          has: (key) => memory.find(ask(key), windowOf(caller).name) !== undefined,
        };
      },
      'budgets of operations': () => {
        const budgets = new OperationBudgets(10);
        return {
          keep: (tenant, key) => void budgets.budgetOf(tenant, key, 3).reserve(1),
          has: (key) => budgets.budgetOf(caller, key, 3).left === 2,
        };
      },
    };

  it.each(Object.keys(kinds))('is removed from the tenant that has the most: %s', (kind) => {
    const cache = kinds[kind]?.();
    const own = ['a', 'b', 'c'];
    for (const key of own) cache?.keep(victim, key);
    for (let number = 0; number < 100; number += 1) cache?.keep(attacker, `${number}`);
    const numbers = Array.from({ length: 100 }, (_, number) => `${number}`);
    const kept = (keys: readonly string[]): number => keys.filter((key) => cache?.has(key)).length;
    expect([kept(own), kept(numbers), kept(['99'])]).toEqual([3, 7, 1]);
    // A tenant that keeps more than its half removes its own.
    for (const key of numbers) cache?.keep(victim, `own ${key}`);
    expect(kept(numbers)).toBeGreaterThanOrEqual(4);
    expect(kept(numbers) + kept(numbers.map((key) => `own ${key}`))).toBe(10);
  });

  it('includes no operation that has cost nothing, such as that of a token which the service refuses', () => {
    const budgets = new OperationBudgets(1);
    budgets.budgetOf(victim, 'paid', 3).reserve(1);
    for (const tenant of ['x', 'y'].map((account) => ({ ...caller, account, tenant: account }))) {
      const refused = budgets.budgetOf(tenant, 'refused', 3);
      expect(refused.left).toBe(3);
      refused.release(refused.reserve(0) ? 0 : 0);
    }
    expect(budgets.budgetOf(caller, 'paid', 3).left).toBe(2);
    const [first, second] = [budgets.budgetOf(caller, 'split', 3), budgets.budgetOf(caller, 'split', 3)];
    expect([first.reserve(2), second.reserve(2), second.left]).toEqual([true, false, 1]);
    first.release(2);
    expect([second.left, second.reserve(3)]).toEqual([3, true]);
  });
});
