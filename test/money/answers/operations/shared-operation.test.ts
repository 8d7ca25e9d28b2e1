import { setTimeout as sleep } from 'node:timers/promises';
import { answeredShared, askCredit, sharingRig } from '../../../support/padrons/sharing-padrons';
import { startProcess } from '../../../support/processes/process';
import { waitUntil } from '../../../support/proxies/deferred';
import { askPriced } from '../../../support/requests/money';
import { card } from '../../../support/sandbox/cards';
import { ownServerRig } from '../../../support/stores/engines';
import { callsOf, check, end, holdCalls, kept, lost, newOperation, type Operation, paid, sumsOf } from './operation';

const own = ownServerRig();
const rig = sharingRig({ REPLAY_SECONDS: '0', REGISTRY_TIMEOUT_MS: '12000' }, own);
const { nextPerson } = rig;
const retry = { 'x-operation-retry': 'unknown' };

const calls = (): number => callsOf(rig.padrons.proxy);

/** Sums of the entries of an operation's calls in the ledger. */
async function ledgerOf(): Promise<unknown> {
  const sql = `SELECT coalesce(sum(e.units), 0)::int AS spent,
    coalesce(sum(e.price) FILTER (WHERE e.billing = 'UNKNOWN'), 0)::int AS uncertain FROM ledger_entries e
    WHERE e.operation_id = (SELECT id FROM operations ORDER BY began_at DESC LIMIT 1)`;
  return (await rig.padrons.query(sql))[0];
}

/** A process of the operation asks, and is killed before it has the answer: the service has charged for it. */
async function killDuringCall(operation: Operation, nss: string): Promise<void> {
  const { proxy, settings, query } = rig.padrons;
  const dying = startProcess({ ...settings(), LOG_LEVEL: 'error' });
  const url = await dying.address();
  const held = holdCalls(proxy);
  const answer = check({ url }, nss, operation.begin).catch(() => null);
  await held.arrived(1);
  dying.child.kill('SIGKILL');
  await Promise.all([dying.ended(), answer]);
  held.release();
  await waitUntil(async () => (await query('SELECT FROM operation_calls')).length === 0);
  proxy.reset();
}

describe('a question of an operation that lasts, whose process was killed while the call ran', () => {
  it('is not asked again, and its price is uncertain once in the operation, the ledger and all responses', async () => {
    const { first, second } = rig.padrons;
    const [operation, nss] = [newOperation({ 'x-max-units': '3' }), nextPerson()];
    await killDuringCall(operation, nss);
    expect(await ledgerOf()).toEqual({ spent: 0, uncertain: 1 });
    const answers = [];
    for (const padron of [first, second, first]) answers.push(await check(padron, nss, operation.later));
    const both = await Promise.all([first, second].map((padron) => check(padron, nss, operation.begin)));
    for (const { uncertain: _, ...answer } of [...answers, ...both])
      expect(answer).toMatchObject({ outcome: 'UNAVAILABLE', problems: ['ANSWER_LOST'], spent: 0 });
    expect([...answers, ...both].map(({ uncertain }) => uncertain)).toEqual([1, 0, 0, 0, 0]);
    expect(calls()).toBe(0);
    expect(await sumsOf(first, operation)).toMatchObject({ spentUnits: 0, uncertainUnits: 1, leftUnits: 2 });
    // The caller decides to pay for it again.
    expect(await check(second, nss, { ...operation.later, ...retry })).toMatchObject({ ...paid, uncertain: 0 });
    expect(await check(first, nss, operation.later)).toMatchObject({ ...kept, saved: 1 });
    expect(await check(first, nss, { ...operation.later, ...retry })).toMatchObject(kept);
    expect(calls()).toBe(1);
    expect(await sumsOf(second, operation)).toMatchObject({ spentUnits: 1, uncertainUnits: 1, leftUnits: 1 });
    expect(await ledgerOf()).toEqual({ spent: 1, uncertain: 1 });
    // An outsider does not pay for the lost call of the operation: it asks, and reports nothing of it.
    expect(await askCredit(first, nss)).toMatchObject({ outcome: 'FOUND', spent: 1, uncertain: 0 });
  });

  it('reports its price although the first request that asks again retries it', async () => {
    const { first } = rig.padrons;
    const [operation, nss] = [newOperation(), nextPerson()];
    await killDuringCall(operation, nss);
    expect(await check(first, nss, { ...operation.later, ...retry })).toMatchObject({ ...paid, uncertain: 1 });
    expect(await check(first, nss, { ...operation.later, ...retry })).toMatchObject(kept);
    expect(await sumsOf(first, operation)).toMatchObject({ spentUnits: 1, uncertainUnits: 1 });
    expect(calls()).toBe(1);
  });
});

describe('a question of an operation that lasts, whose charge the service did not report', () => {
  it.each([
    ['no answer in time', (nss: string) => nss, true],
    ['an answer that cannot be read', () => card('html', 'nss'), false],
  ] as const)('is not asked again: %s', async (_what, personOf, isHeld) => {
    const { first, second, proxy } = rig.padrons;
    const [operation, nss] = [newOperation(), personOf(nextPerson())];
    if (isHeld) holdCalls(proxy);
    expect(await check(first, nss, operation.begin)).toMatchObject({ outcome: 'UNAVAILABLE', spent: 0, uncertain: 1 });
    proxy.tamper(null);
    for (const padron of [first, second, first]) expect(await check(padron, nss, operation.later)).toMatchObject(lost);
    expect(calls()).toBe(1);
    expect([await sumsOf(second, operation), await ledgerOf()]).toMatchObject([
      { spentUnits: 0, uncertainUnits: 1 },
      { spent: 0, uncertain: 1 },
    ]);
    await check(second, nss, { ...operation.later, ...retry });
    expect(calls()).toBe(2);
  });
});

describe('an operation that is ended while its calls run', () => {
  it('keeps none of their answers, and sends nothing more', async () => {
    const { first, second, proxy, query } = rig.padrons;
    const operation = newOperation();
    const [running, done] = [nextPerson(), nextPerson()];
    await check(first, done, operation.begin);
    const held = holdCalls(proxy);
    const answer = check(first, running, operation.later);
    await held.arrived(1);
    expect(await end(second, operation)).toMatchObject({ spentUnits: 1, uncertainUnits: 1 });
    held.release();
    expect(await answer).toMatchObject(paid);
    const left = `SELECT FROM answers a JOIN operations o ON o.id = a.operation WHERE o.expires_at < now()
      UNION ALL SELECT FROM operation_calls c JOIN operations o ON o.id = c.operation WHERE o.expires_at < now()
      UNION ALL SELECT FROM answer_subjects s WHERE NOT EXISTS (SELECT FROM answers a WHERE a.call = s.call)`;
    await waitUntil(async () => (await query(left)).length === 0);
    proxy.tamper(null);
    expect(await check(second, running, operation.later)).toMatchObject({ ...paid, until: null });
  });
});

describe('a request outside of the operation that asks what a request of it is asking', () => {
  it('shares a running call, and no answer that the operation keeps', async () => {
    const { first, proxy } = rig.padrons;
    const [operation, nss] = [newOperation(), nextPerson()];
    const held = holdCalls(proxy);
    const owner = check(first, nss, operation.begin);
    await held.arrived(1);
    const outsider = askCredit(first, nss);
    await waitUntil(async () => (await askPriced(first, { query: '{ __typename }' })).status === 200);
    held.release();
    expect(await owner).toMatchObject(paid);
    expect(await outsider).toEqual(answeredShared);
    proxy.tamper(null);
    const together = await Promise.all([
      ...Array.from({ length: 5 }, () => check(first, nss, operation.later)),
      ...Array.from({ length: 5 }, () => check(first, nss)),
    ]);
    expect(together.slice(0, 5).map(({ servedFrom }) => servedFrom)).toEqual(Array(5).fill('KEPT'));
    expect(together.slice(5).every(({ servedFrom }) => servedFrom === 'LIVE' || servedFrom === 'REPLAY')).toBe(true);
  });
});

const nextPersons = (count: number): readonly string[] => Array.from({ length: count }, nextPerson);
const refused = { problems: ['UNIT_BUDGET_EXCEEDED'], servedFrom: 'NOT_SENT', spent: 0, uncertain: 0 };
const limited = (units: number) => ({ 'x-max-units': String(units) });

describe('the limit of an operation that lasts', () => {
  it('counts all its requests in every process exactly, and holds until another value raises or lowers it', async () => {
    const { first, second } = rig.padrons;
    const operation = newOperation(limited(10));
    const persons = nextPersons(50);
    const before = first.spent();
    const answers = await Promise.all(
      persons.map((nss, index) => check(index % 2 === 0 ? first : second, nss, operation.begin)),
    );
    expect(answers.filter(({ spent }) => spent === 1)).toHaveLength(10);
    for (const answer of answers.filter(({ spent }) => spent === 0)) expect(answer).toMatchObject(refused);
    expect([calls(), first.spent() - before]).toEqual([10, 10]);
    expect(await sumsOf(second, operation)).toMatchObject({
      spentUnits: 10,
      uncertainUnits: 0,
      maxUnits: 10,
      leftUnits: 0,
    });
    // Paid answers are free, also for those who have nothing left. Every other question is refused, with the headers or without.
    const again = await Promise.all(persons.map((nss) => check(second, nss, operation.later)));
    expect(again.filter((answer) => answer.servedFrom === 'KEPT')).toHaveLength(10);
    expect(again.filter(({ problems }) => problems[0] === 'UNIT_BUDGET_EXCEEDED')).toHaveLength(40);
    const [third = '', fourth = '', fifth = ''] = nextPersons(3);
    expect(await check(first, third, { ...operation.later, ...limited(11) })).toMatchObject(paid);
    expect(await check(second, fourth, operation.later)).toMatchObject(refused);
    expect(await check(second, fourth, { ...operation.later, ...limited(20) })).toMatchObject(paid);
    expect(await check(first, fifth, { ...operation.later, ...limited(5) })).toMatchObject(refused);
    expect(await check(second, fifth, operation.later)).toMatchObject(refused);
    expect(await sumsOf(first, operation)).toMatchObject({ spentUnits: 12, maxUnits: 5, leftUnits: 0 });
    expect(calls()).toBe(12);
  });

  it.each([
    ['and sends it if they were free', { status: 400, json: { message: 'x' } }, paid, 1],
    ['and refuses it if they were charged', null, refused, 2],
  ] as const)(
    'lets a call wait for running calls that hold its rest, %s',
    async (_what, ended, expected, spentUnits) => {
      const { first, second, proxy } = rig.padrons;
      const [one = '', two = '', waiting = ''] = nextPersons(3);
      const operation = newOperation(limited(2));
      await check(first, nextPerson(), { ...operation.later, 'x-operation-keep': '1d', 'x-dry-run': 'true' });
      const held = holdCalls(proxy);
      const running = [check(first, one, operation.later), check(second, two, operation.begin)];
      await held.arrived(2);
      const answer = check(second, waiting, operation.later);
      await sleep(300);
      expect(await sumsOf(first, operation)).toMatchObject({ uncertainUnits: 2, leftUnits: 0 });
      proxy.tamper(null);
      held.release(ended);
      await Promise.all(running);
      expect(await answer).toMatchObject(expected);
      expect(await sumsOf(first, operation)).toMatchObject({ spentUnits, uncertainUnits: 0 });
    },
  );
});

describe('an operation that lasts, whose PostgreSQL crashes', () => {
  it('pays for nothing twice, exceeds no limit, and forgets no answer that a caller has', async () => {
    const { first, second, proxy } = rig.padrons;
    const operation = newOperation(limited(8));
    const [before = '', running = '', ...persons] = nextPersons(10);
    expect(await check(first, before, operation.begin)).toMatchObject(paid);
    const held = holdCalls(proxy);
    const sent = check(second, running, operation.later);
    await held.arrived(1);
    await own.cluster.kill();
    // Both processes ask at once: while the store is away, and again when it is back, until the limit is used up.
    const askAll = () =>
      Promise.all(persons.flatMap((nss) => [first, second].map((padron) => check(padron, nss, operation.later))));
    const asked = askAll();
    proxy.tamper(null);
    held.release();
    expect(await sent).toMatchObject(paid);
    expect(calls()).toBe(2);
    await own.cluster.start();
    const answers = [...(await asked)];
    await waitUntil(async () => (await sumsOf(first, operation).catch(() => null))?.uncertainUnits === 0);
    answers.push(...(await askAll()), ...(await askAll()));
    const refusals = ['LEDGER_UNAVAILABLE', 'UNIT_BUDGET_EXCEEDED'];
    for (const { problems } of answers.filter(({ outcome }) => outcome !== 'FOUND'))
      expect(refusals).toContain(problems[0]);
    expect(answers.reduce((sum, { spent }) => sum + spent, 0)).toBe(6);
    expect(await sumsOf(second, operation)).toMatchObject({ spentUnits: 8, uncertainUnits: 0 });
    expect(calls()).toBe(8);
    for (const nss of [before, running]) expect(await check(first, nss, operation.later)).toMatchObject(kept);
    const again = await Promise.all(persons.map((nss) => check(second, nss, operation.later)));
    expect(again.filter(({ servedFrom }) => servedFrom === 'KEPT')).toHaveLength(6);
    expect(calls()).toBe(8);
  });
});
