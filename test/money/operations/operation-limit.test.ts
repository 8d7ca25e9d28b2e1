import { setTimeout as sleep } from 'node:timers/promises';
import { sharingRig } from '../../support/padrons/sharing-padrons';
import { waitUntil } from '../../support/proxies/deferred';
import { ownServerRig } from '../../support/stores/engines';
import { callsOf, check, holdCalls, kept, newOperation, paid, sumsOf } from './operation';

const own = ownServerRig();
const rig = sharingRig({ REPLAY_SECONDS: '0' }, own);
const { nextPerson } = rig;
const calls = (): number => callsOf(rig.padrons.proxy);
const nextPersons = (count: number): readonly string[] => Array.from({ length: count }, nextPerson);
const refused = { problems: ['UNIT_BUDGET_EXCEEDED'], servedFrom: 'NOT_SENT', spent: 0, uncertain: 0 };
const limited = (units: number) => ({ 'x-max-units': String(units) });

describe('the limit of an operation that lasts', () => {
  it('counts all its requests in every process exactly, and holds until another value raises or lowers it', async () => {
    const { first, second } = rig.padrons;
    const operation = newOperation(limited(10));
    const persons = nextPersons(50);
    const answers = await Promise.all(
      persons.map((nss, index) => check(index % 2 === 0 ? first : second, nss, operation.begin)),
    );
    expect(answers.filter(({ spent }) => spent === 1)).toHaveLength(10);
    for (const answer of answers.filter(({ spent }) => spent === 0)) expect(answer).toMatchObject(refused);
    expect([calls(), first.spent()]).toEqual([10, 10]);
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
    ['and sends it if they were free', { status: 400, json: {} }, paid, 1],
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
    await waitUntil(async () => (await sumsOf(first, operation).catch(() => null))?.uncertainUnits === 0, 20_000);
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
  }, 90_000);
});
