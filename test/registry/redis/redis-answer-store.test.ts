import { setTimeout as sleep } from 'node:timers/promises';
import { OperationBudgets } from '../../../src/registry/operation-budgets';
import type { RedisAnswerStore } from '../../../src/registry/redis/redis-answer-store';
import { ReplayKey } from '../../../src/registry/redis/replay-key';
import type { AnswerStore, Claim } from '../../../src/registry/replay/answer-store';
import { questionNames } from '../../support/padrons/sharing-padrons';
import { redisForTests } from '../../support/stores/redis';
import { exchangeOf, land, newKey, questionOf, type RedisStoreSettings, startRedisStore } from './answer-stores';

const waiting = { signal: new AbortController().signal };
const redis = redisForTests();
const open: AnswerStore[] = [];
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
  return claim.flight;
};
const outcomeOf = (claim: Claim) => (claim.kind === 'answered' ? claim.answer.outcome : claim.kind);

describe('instances that share a store', () => {
  it('let one of them ask, and all have its answer', async () => {
    const [first, second, third] = await instances(3);
    const question = questionOf('1');
    const flight = own(await first.claim(question, waiting));
    const waiters = Promise.all([second.claim(question, waiting), third.claim(question, waiting)]);
    await sleep(50);
    land(flight, question, exchangeOf('FOUND'));
    expect((await waiters).map(outcomeOf)).toEqual(['FOUND', 'FOUND']);
    expect(outcomeOf(await third.claim(question, waiting))).toBe('FOUND');
  });

  it('share a failure with those who wait, and with nobody after', async () => {
    const [first, second, third] = await instances(3);
    const question = questionOf('1');
    const flight = own(await first.claim(question, waiting));
    const waiter = second.claim(question, waiting);
    await sleep(50);
    land(flight, question, exchangeOf('UNAVAILABLE'));
    expect(outcomeOf(await waiter)).toBe('UNAVAILABLE');
    expect((await third.claim(question, waiting)).kind).toBe('owned');
  });

  it('ask themselves what was given up, at once', async () => {
    const [first, second] = await instances(2);
    const question = questionOf('1');
    const flight = own(await first.claim(question, waiting));
    const waiter = second.claim(question, waiting);
    await sleep(50);
    flight.abandon();
    expect(own(await waiter).lostUnits).toBe(0);
  });

  it('let a waiter go when nobody waits for it any more', async () => {
    const [first, second] = await instances(2);
    const question = questionOf('1');
    own(await first.claim(question, waiting));
    const client = new AbortController();
    const waiter = second.claim(question, { signal: client.signal });
    await sleep(50);
    client.abort();
    expect((await waiter).kind).toBe('abandoned');
  });

  it('take over a call that has outlasted its time, and say what it may have cost, once', async () => {
    const [first, second, third] = await instances(3, { callTimeoutMs: 100 });
    const question = questionOf('1');
    const stalled = own(await first.claim(question, waiting));
    await sleep(5_300);
    const flight = own(await second.claim(question, waiting));
    expect(flight.lostUnits).toBe(1);
    land(flight, question, exchangeOf('FOUND'));
    expect(outcomeOf(await third.claim(question, waiting))).toBe('FOUND');
    // Late, its answer changes nothing for the others.
    land(stalled, question, exchangeOf('NOT_FOUND'));
    await sleep(50);
    expect((await second.find(question))?.outcome).toBe('FOUND');
  });

  it('share nothing between services, nor where the key is another', async () => {
    const [first] = await instances(1);
    const [strange] = await instances(1);
    const secrets = [newKey()];
    const [here] = await instances(1, { secrets });
    const [there] = await instances(1, { secrets, serviceUrl: 'https://other.example' });
    const question = questionOf('1');
    for (const store of [first, strange, here, there])
      land(own(await store.claim(question, waiting)), question, exchangeOf('FOUND'));
  });

  it('ask anew where what stands there does not open, or has been moved', async () => {
    const [first, second] = await instances(2);
    for (const nss of ['1', '2']) {
      const question = questionOf(nss);
      land(own(await first.claim(question, waiting)), question, exchangeOf('FOUND'));
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

  it('use no answer whose time is far from theirs', async () => {
    const secrets = [newKey()];
    const [first] = await instances(1, { secrets });
    const [near] = await instances(1, { secrets, now: () => new Date('2026-11-20T12:01:30Z') });
    const [far] = await instances(1, { secrets, now: () => new Date('2026-11-20T13:00:00Z') });
    const question = questionOf('1');
    land(own(await first.claim(question, waiting)), question, exchangeOf('FOUND'));
    await sleep(50);
    expect(outcomeOf(await near.claim(question, waiting))).toBe('FOUND');
    expect((await far.claim(question, waiting)).kind).toBe('owned');
  });

  it('take an answer of a megabyte, by a connection of its own', async () => {
    const [first, second] = await instances(2);
    const question = questionOf('1');
    const { result, checkedAt } = exchangeOf('FOUND');
    const padding = Buffer.alloc(1_000_000, ' ');
    const body = result.kind === 'delivered' ? Buffer.concat([result.body, padding]) : padding;
    const flight = own(await first.claim(question, waiting));
    const waiter = second.claim(question, waiting);
    land(flight, question, { result: { ...result, body } as typeof result, checkedAt });
    const claim = await waiter;
    expect(claim.kind === 'answered' && claim.answer.bytes).toBe(body.length);
  });
});

describe('a key that replaces another', () => {
  it('is paid for once, whichever keys an instance has while they are rolled out', async () => {
    const [before, after] = [newKey(), newKey()];
    const [old] = await instances(1, { secrets: [before] });
    const [both] = await instances(1, { secrets: [after, before] });
    const [fresh] = await instances(1, { secrets: [after] });
    const [first, second] = [questionOf('1'), questionOf('2')];
    land(own(await old.claim(first, waiting)), first, exchangeOf('FOUND'));
    await sleep(50);
    expect(outcomeOf(await both.claim(first, waiting))).toBe('FOUND');
    land(own(await both.claim(second, waiting)), second, exchangeOf('FOUND'));
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
async function outlast(): Promise<void> {
  for (const name of await questionNames(redis))
    if (String(await redis.command('HGET', name, 's')) === 'F') await redis.command('HSET', name, 'l', '0');
}

describe('the price of a call that died under the first of two keys', () => {
  const lostUnitsOf = (claim: Claim) => (claim.kind === 'owned' ? claim.flight.lostUnits : claim.lostUnits);
  const operation = () => new OperationBudgets().budgetOf('account', 'operation', 1);
  let both: RedisAnswerStore;
  let second: RedisAnswerStore;

  beforeEach(async () => {
    const [firstKey, secondKey] = orderedKeys();
    const [dying] = await instances(1, { secrets: [firstKey] });
    own(await dying.claim(questionOf('1'), waiting));
    await outlast();
    [second] = await instances(1, { secrets: [secondKey] });
    [both] = await instances(1, { secrets: [firstKey, secondKey], callTimeoutMs: 500 });
  });

  it('is told where nobody asks under the other one', async () => {
    expect(lostUnitsOf(await both.claim(questionOf('1'), waiting))).toBe(1);
  });

  it('is told where the other one gives an answer', async () => {
    land(own(await second.claim(questionOf('1'), waiting)), questionOf('1'), exchangeOf('FOUND'));
    await sleep(50);
    expect(await both.claim(questionOf('1'), waiting)).toMatchObject({ kind: 'answered', lostUnits: 1 });
  });

  it('is told where the budget does not suffice under the other one', async () => {
    await second.reserve(questionOf('1').caller, operation(), 1);
    const budgeted = questionOf('1', { operation: operation() });
    expect(await both.claim(budgeted, waiting)).toMatchObject({ kind: 'overBudget', lostUnits: 1 });
    expect(lostUnitsOf(await both.claim(questionOf('1'), waiting))).toBe(0);
  });

  it('is told where a call under the other one comes too late', async () => {
    own(await second.claim(questionOf('1'), waiting));
    expect(await both.claim(questionOf('1'), waiting)).toMatchObject({ kind: 'refused', lostUnits: 1 });
  });

  it('is told where the asker leaves meanwhile', async () => {
    own(await second.claim(questionOf('1'), waiting));
    const claim = both.claim(questionOf('1'), { signal: AbortSignal.timeout(350) });
    expect(await claim).toMatchObject({ kind: 'abandoned', lostUnits: 1 });
  });

  it('is told where the store goes away meanwhile', async () => {
    own(await second.claim(questionOf('1'), waiting));
    const claim = both.claim(questionOf('1'), waiting);
    await sleep(300);
    redis.hang();
    expect(await claim).toMatchObject({ kind: 'owned', flight: { lostUnits: 1 } });
    redis.resume();
  });
});

describe('the budget of an operation', () => {
  const budgeted = (nss: string, id: string, units: number) =>
    questionOf(nss, { operation: new OperationBudgets().budgetOf('account', id, units) });

  it('holds over all instances, and a shared answer takes nothing of it', async () => {
    const [first, second] = await instances(2);
    for (const nss of ['1', '2']) {
      const question = budgeted(nss, 'operation', 2);
      land(own(await first.claim(question, waiting)), question, exchangeOf('FOUND'));
    }
    await sleep(50);
    expect((await second.claim(budgeted('3', 'operation', 2), waiting)).kind).toBe('overBudget');
    expect(outcomeOf(await second.claim(budgeted('1', 'operation', 2), waiting))).toBe('FOUND');
    expect((await second.claim(budgeted('3', 'another', 2), waiting)).kind).toBe('owned');
  });

  it('gets back what was set aside for a call that cost nothing', async () => {
    const [first, second] = await instances(2);
    own(await first.claim(budgeted('1', 'operation', 1), waiting)).abandon();
    await sleep(50);
    const question = budgeted('2', 'operation', 1);
    land(own(await second.claim(question, waiting)), question, exchangeOf('UNAVAILABLE'));
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

describe('what instances know of each other', () => {
  it('is how many they are, when one comes and when one leaves', async () => {
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

  it('is that the service wants an account to wait', async () => {
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
