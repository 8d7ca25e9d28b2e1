import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim, RequestAnswerStore } from '../../../src/calls/answers/answer-store';
import { OperationBudgets } from '../../../src/calls/operation-budgets';
import type { RedisAnswerStore } from '../../../src/registry/redis/redis-answer-store';
import { ReplayKey } from '../../../src/registry/redis/replay-key';
import { questionNames } from '../../support/padrons/sharing-padrons';
import {
  complete,
  exchangeOf,
  newKey,
  questionOf,
  type RedisStoreSettings,
  startRedisStore,
} from '../../support/stores/answer-stores';
import { redisForTests } from '../../support/stores/redis';

const waiting = { signal: new AbortController().signal };
const redis = redisForTests();
const open: RequestAnswerStore[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()));
});

/** Several instances over one store. */
async function instances(count: number, settings: Partial<RedisStoreSettings> = {}) {
  const secrets = settings.secrets ?? [newKey()];
  const stores = await Promise.all(
    Array.from({ length: count }, () => startRedisStore({ url: redis.url, ...settings, secrets })),
  );
  open.push(...stores);
  return stores as unknown as readonly [RedisAnswerStore, RedisAnswerStore, RedisAnswerStore];
}

const own = (claim: Claim) => {
  if (claim.kind !== 'owned') throw new Error(`not to be asked: ${claim.kind}`);
  return claim.call;
};
const outcomeOf = (claim: Claim) => (claim.kind === 'answered' ? claim.answer.outcome : claim.kind);

describe('instances that share a store', () => {
  it('make one call, and all instances get its answer', async () => {
    const [first, second, third] = await instances(3);
    const question = questionOf('1');
    const call = own(await first.claim(question, waiting));
    const waiters = Promise.all([second.claim(question, waiting), third.claim(question, waiting)]);
    await sleep(50);
    complete(call, question, exchangeOf('FOUND'));
    expect((await waiters).map(outcomeOf)).toEqual(['FOUND', 'FOUND']);
    expect(outcomeOf(await third.claim(question, waiting))).toBe('FOUND');
  });

  it('share a failure with waiting requests only', async () => {
    const [first, second, third] = await instances(3);
    const question = questionOf('1');
    const call = own(await first.claim(question, waiting));
    const waiter = second.claim(question, waiting);
    await sleep(50);
    complete(call, question, exchangeOf('UNAVAILABLE'));
    expect(outcomeOf(await waiter)).toBe('UNAVAILABLE');
    expect((await third.claim(question, waiting)).kind).toBe('owned');
  });

  it('call immediately themselves if another instance gave up its call', async () => {
    const [first, second] = await instances(2);
    const question = questionOf('1');
    const call = own(await first.claim(question, waiting));
    const waiter = second.claim(question, waiting);
    await sleep(50);
    call.release();
    expect(await waiter).toMatchObject({ kind: 'owned', lostUnits: 0 });
  });

  it('stop waiting when their last client has left', async () => {
    const [first, second] = await instances(2);
    const question = questionOf('1');
    own(await first.claim(question, waiting));
    const client = new AbortController();
    const waiter = second.claim(question, { signal: client.signal });
    await sleep(50);
    client.abort();
    expect((await waiter).kind).toBe('abandoned');
  });

  it('take over a call that exceeded its deadline, and report its possible cost once', async () => {
    const [first, second, third] = await instances(3, { callTimeoutMs: 100 });
    const question = questionOf('1');
    const stalled = own(await first.claim(question, waiting));
    await sleep(5_300);
    const claim = await second.claim(question, waiting);
    expect(claim.lostUnits).toBe(1);
    complete(own(claim), question, exchangeOf('FOUND'));
    expect(outcomeOf(await third.claim(question, waiting))).toBe('FOUND');
    // Its late answer changes nothing for the other instances.
    complete(stalled, question, exchangeOf('NOT_FOUND'));
    await sleep(50);
    expect((await second.get(question))?.outcome).toBe('FOUND');
  });

  it('share nothing between services or between different keys', async () => {
    const [first] = await instances(1);
    const [strange] = await instances(1);
    const secrets = [newKey()];
    const [here] = await instances(1, { secrets });
    const [there] = await instances(1, { secrets, serviceUrl: 'https://other.example' });
    const question = questionOf('1');
    for (const store of [first, strange, here, there])
      complete(own(await store.claim(question, waiting)), question, exchangeOf('FOUND'));
  });

  it('call again if a stored value cannot be decrypted or was moved to another key', async () => {
    const [first, second] = await instances(2);
    for (const nss of ['1', '2']) {
      const question = questionOf(nss);
      complete(own(await first.claim(question, waiting)), question, exchangeOf('FOUND'));
    }
    await sleep(50);
    const names = await questionNames(redis);
    for (const name of names) {
      const moved = names.find((each) => each !== name) ?? name;
      await redis.command(
        'HSET',
        name,
        'b',
        name === names[0] ? 'junk' : String(await redis.command('HGET', moved, 'b')),
      );
    }
    for (const nss of ['1', '2']) expect((await second.claim(questionOf(nss), waiting)).kind).toBe('owned');
  });

  it('use no answer whose timestamp is far from their own clock', async () => {
    const secrets = [newKey()];
    const [first] = await instances(1, { secrets });
    const [near] = await instances(1, { secrets, now: () => new Date('2026-11-20T12:01:30Z') });
    const [far] = await instances(1, { secrets, now: () => new Date('2026-11-20T13:00:00Z') });
    const question = questionOf('1');
    complete(own(await first.claim(question, waiting)), question, exchangeOf('FOUND'));
    await sleep(50);
    expect(outcomeOf(await near.claim(question, waiting))).toBe('FOUND');
    expect((await far.claim(question, waiting)).kind).toBe('owned');
  });

  it('share an answer of a megabyte over a separate connection', async () => {
    const [first, second] = await instances(2);
    const question = questionOf('1');
    const { result, checkedAt } = exchangeOf('FOUND');
    const padding = Buffer.alloc(1_000_000, ' ');
    const body = result.kind === 'delivered' ? Buffer.concat([result.body, padding]) : padding;
    const call = own(await first.claim(question, waiting));
    const waiter = second.claim(question, waiting);
    complete(call, question, { result: { ...result, body } as typeof result, checkedAt });
    const claim = await waiter;
    expect(claim.kind === 'answered' && claim.answer.bytes).toBe(body.length);
  });
});

describe('a key that replaces another key', () => {
  it('causes no second payment, whichever keys an instance has during the rollout', async () => {
    const [before, after] = [newKey(), newKey()];
    const [old] = await instances(1, { secrets: [before] });
    const [both] = await instances(1, { secrets: [after, before] });
    const [fresh] = await instances(1, { secrets: [after] });
    const [first, second] = [questionOf('1'), questionOf('2')];
    complete(own(await old.claim(first, waiting)), first, exchangeOf('FOUND'));
    await sleep(50);
    expect(outcomeOf(await both.claim(first, waiting))).toBe('FOUND');
    complete(own(await both.claim(second, waiting)), second, exchangeOf('FOUND'));
    await sleep(50);
    expect(outcomeOf(await old.claim(second, waiting))).toBe('FOUND');
    expect(outcomeOf(await fresh.claim(second, waiting))).toBe('FOUND');
  });
});

/** Two keys, in the order in which an instance that has both uses them. */
const orderedKeys = (): readonly [string, string] => {
  const [left, right] = [newKey(), newKey()];
  return new ReplayKey(left).id < new ReplayKey(right).id ? [left, right] : [right, left];
};

/** Ends the time of all calls that are under way now: their instances may be dead. */
async function waitPastDeadline(): Promise<void> {
  for (const name of await questionNames(redis))
    if (String(await redis.command('HGET', name, 's')) === 'F') await redis.command('HSET', name, 'l', '0');
}

describe('the cost of a call that was interrupted under the first of two keys', () => {
  const lostUnitsOf = ({ lostUnits }: Claim) => lostUnits;
  const operation = () => new OperationBudgets().budgetOf('account', 'operation', 1);
  let both: RedisAnswerStore;
  let second: RedisAnswerStore;

  beforeEach(async () => {
    const [firstKey, secondKey] = orderedKeys();
    const [dying] = await instances(1, { secrets: [firstKey] });
    own(await dying.claim(questionOf('1'), waiting));
    await waitPastDeadline();
    [second] = await instances(1, { secrets: [secondKey] });
    [both] = await instances(1, { secrets: [firstKey, secondKey], callTimeoutMs: 500 });
  });

  it('is reported if no call was made under the other key', async () => {
    expect(lostUnitsOf(await both.claim(questionOf('1'), waiting))).toBe(1);
  });

  it('is reported if the other key gives an answer', async () => {
    complete(own(await second.claim(questionOf('1'), waiting)), questionOf('1'), exchangeOf('FOUND'));
    await sleep(50);
    expect(await both.claim(questionOf('1'), waiting)).toMatchObject({ kind: 'answered', lostUnits: 1 });
  });

  it('is reported if the budget does not suffice under the other key', async () => {
    await second.reserve(questionOf('1').caller, operation(), 1);
    const budgeted = questionOf('1', { operation: operation() });
    expect(await both.claim(budgeted, waiting)).toMatchObject({ kind: 'overBudget', lostUnits: 1 });
    expect(lostUnitsOf(await both.claim(questionOf('1'), waiting))).toBe(0);
  });

  it('is reported if a call under the other key arrives too late', async () => {
    own(await second.claim(questionOf('1'), waiting));
    expect(await both.claim(questionOf('1'), waiting)).toMatchObject({ kind: 'refused', lostUnits: 1 });
  });

  it('is reported if the caller disconnects meanwhile', async () => {
    own(await second.claim(questionOf('1'), waiting));
    const claim = both.claim(questionOf('1'), { signal: AbortSignal.timeout(350) });
    expect(await claim).toMatchObject({ kind: 'abandoned', lostUnits: 1 });
  });

  it('is reported if the store becomes unavailable meanwhile', async () => {
    own(await second.claim(questionOf('1'), waiting));
    const claim = both.claim(questionOf('1'), waiting);
    await sleep(300);
    redis.hang();
    expect(await claim).toMatchObject({ kind: 'owned', lostUnits: 1 });
    redis.resume();
  });
});

describe('the budget of an operation', () => {
  const budgeted = (nss: string, id: string, units: number) =>
    questionOf(nss, { operation: new OperationBudgets().budgetOf('account', id, units) });

  it('applies across all instances, and a shared answer uses none of it', async () => {
    const [first, second] = await instances(2);
    for (const nss of ['1', '2']) {
      const question = budgeted(nss, 'operation', 2);
      complete(own(await first.claim(question, waiting)), question, exchangeOf('FOUND'));
    }
    await sleep(50);
    expect((await second.claim(budgeted('3', 'operation', 2), waiting)).kind).toBe('overBudget');
    expect(outcomeOf(await second.claim(budgeted('1', 'operation', 2), waiting))).toBe('FOUND');
    expect((await second.claim(budgeted('3', 'another', 2), waiting)).kind).toBe('owned');
  });

  it('gets back the units reserved for a call that cost nothing', async () => {
    const [first, second] = await instances(2);
    own(await first.claim(budgeted('1', 'operation', 1), waiting)).release();
    await sleep(50);
    const question = budgeted('2', 'operation', 1);
    complete(own(await second.claim(question, waiting)), question, exchangeOf('UNAVAILABLE'));
    await sleep(50);
    // A failure that may have been charged is spent.
    expect((await first.claim(budgeted('3', 'operation', 1), waiting)).kind).toBe('overBudget');
    const { caller } = question;
    const ofUnits = (units: number) => new OperationBudgets().budgetOf('account', 'operation', units);
    expect(await first.reserve(caller, ofUnits(1), 1)).toBe(false);
    expect(await first.reserve(caller, ofUnits(2), 1)).toBe(true);
    expect(await second.reserve(caller, ofUnits(2), 1)).toBe(false);
    await second.reserve(caller, ofUnits(2), -1);
    expect(await first.reserve(caller, ofUnits(2), 1)).toBe(true);
  });
});

describe('information shared between instances', () => {
  it('is the number of instances, when one starts and when one stops', async () => {
    const secrets = [newKey()];
    const shares: string[] = [];
    await instances(1, { secrets, onShare: (rank, count) => void shares.push(`${rank}/${count}`) });
    const [leaver] = await instances(1, { secrets });
    await sleep(200);
    expect(shares.at(-1)).toMatch(/^[01]\/2$/);
    await leaver.close();
    await sleep(200);
    expect(shares.at(-1)).toBe('0/1');
  });

  it('is that the service asked an account to wait', async () => {
    const pauses: [string, number][] = [];
    const secrets = [newKey()];
    const [first] = await instances(1, { secrets });
    const [second] = await instances(1, { secrets, onPause: (account, ms) => void pauses.push([account, ms]) });
    const question = questionOf('1');
    first.sharePause(question.caller, 5_000);
    await sleep(50);
    own(await second.claim(question, waiting));
    expect(pauses).toEqual([['account', expect.any(Number)]]);
    expect(pauses[0]?.[1]).toBeGreaterThan(4_000);
  });
});
