import { setTimeout } from 'node:timers/promises';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { purgeOperations } from '../../../../src/money/answers/operations/lasting-operations';
import { InFlightCalls } from '../../../../src/money/calls/in-flight-calls';
import { bearer, JWT_SECRET } from '../../../support/keys/identity-provider';
import { payer } from '../../../support/operations/employer-graph';
import { type PreparedPadron, preparePadron } from '../../../support/padrons/ledger';
import type { RunningPadron } from '../../../support/padrons/padron';
import { isAwaited, sharingRig } from '../../../support/padrons/sharing-padrons';
import { waitUntil } from '../../../support/proxies/deferred';
import { BatchClient } from '../../../support/requests/batches';
import { askPriced, priceOf } from '../../../support/requests/money';
import { scrapeMetrics } from '../../../support/requests/scrape-metrics';
import { card } from '../../../support/sandbox/cards';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { bothEngines, engineRig } from '../../../support/stores/engines';
import { callsOf, creditOf, end, holdCalls, indebted, newOperation, paidCalls, sumsOf } from './operation';

type Headers = Readonly<Record<string, string>>;

const [first = '', second = '', third = ''] = indebted;
const day = 86_400_000;
const as = (client: string, scope: string): Headers => ({
  ...bearer({ client_id: client, scope }),
});
const withJwts = { REPLAY_SECONDS: '0', REUSE_DAYS: '30', JWT_SECRET, REGISTRY_TOKEN: SANDBOX_TOKEN };
const scopes = ['use_buscar_credito', 'padron_issue_opinion', 'padron_resolve_obligated_subject', 'padron_batch'];
const caller = as('hr', [...scopes, 'padron_ledger', 'padron_proofs', 'padron_erase'].join(' '));
const within = (age: string, others: Headers = {}): Headers => ({ ...caller, 'x-max-age': age, ...others });

/** Asks for a credit. `proof` is what a caller keeps of the answer. */
async function ask({ url }: { url: string }, nss: string, headers: Headers = within('30d')) {
  const query = `query ($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code }
    evidence { servedFrom age units checkedAt validationCode ledgerId isKept } } } }`;
  const { data, units, errors } = await askPriced({ url }, { query, variables: { nss } }, headers);
  const { servedFrom, age, units: cost, isKept, ...proof } = data?.person?.credit.evidence ?? {};
  const { spent, saved } = units ?? { spent: 0, saved: 0 };
  // Until the call is closed in the store, the next request would join it. Reading sums waits for that.
  if (servedFrom === 'LIVE') await sumsOf({ url }, newOperation(), headers);
  return { outcome: data?.person?.credit.outcome, servedFrom, age, cost, spent, saved, isKept, proof, errors };
}
const bought = { outcome: 'FOUND', servedFrom: 'LIVE', age: null, cost: 1, spent: 1, saved: 0 };
const reused = { outcome: 'FOUND', servedFrom: 'KEPT', cost: 0, spent: 0, saved: 1 };

const sumOf = (answers: readonly { readonly spent: number }[]): number =>
  answers.reduce((sum, { spent }) => sum + spent, 0);

const erase = async ({ url }: { url: string }, nss: string): Promise<void> => {
  const query = 'mutation ($nss: NSS!) { eraseRegistrySubject(subject: { nss: $nss }) { entries } }';
  expect((await askPriced({ url }, { query, variables: { nss } }, caller)).errors).toBeUndefined();
};

const pricesSql = `SELECT client FROM ledger_audit WHERE action = 'PRICE_KEPT_ANSWERS'`;
const keptSql = `SELECT (SELECT count(*)::int FROM answer_contents_lasting) AS answers, (SELECT count(*)::int FROM answer_subjects) AS links,
  (SELECT coalesce(sum(bytes), 0)::int FROM operation_quotas) AS bytes`;

describe.each(bothEngines)('answers that may have an age, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const service = sandboxForTests();
  let prepared: PreparedPadron;
  let padron: RunningPadron;
  let elapsed = 0;
  const now = (): Date => new Date(Date.now() + elapsed);
  const start = async (environment: Headers = {}): Promise<void> => {
    padron = await prepared.start({ registryUrl: () => service.url, now, environment });
  };
  /** Restarts padron so many days later. The store's clock is moved by making its answers older. */
  const pass = async (days: number, environment: Headers = {}): Promise<void> => {
    await padron.stop();
    elapsed += days * day;
    const ago = `${days} * interval '1 day'`;
    const sql = `UPDATE answers SET asked_at = asked_at - ${ago}, until = until - ${ago} WHERE lasts`;
    await prepared.read((store) => store.query(sql));
    await start(environment);
  };
  const stored = async () => {
    await padron.stop();
    const rows = await prepared.read(async (store) => {
      await purgeOperations(store);
      return store.query<object>(keptSql);
    });
    await start();
    return rows[0];
  };
  beforeEach(async () => {
    elapsed = 0;
    prepared = await preparePadron(rig, withJwts);
    await start();
    service.clearCalls();
  });

  it('pay for a page once while its answer is good, over restarts, and show when it was asked', async () => {
    const bill: [units: number, saved: number][] = [];
    const open = async (headers?: Headers) => {
      const answer = await ask(padron, first, headers);
      bill.push([answer.spent, answer.saved]);
      return answer;
    };
    const original = await open();
    expect(original).toMatchObject(bought);
    await pass(10);
    const { age, ...again } = await open();
    expect(again).toMatchObject({ ...reused, proof: original.proof });
    expect(Math.floor(age / 600)).toBe((10 * 86_400) / 600);
    // Without the header nothing is used again, and nothing is kept.
    expect(await open(caller)).toMatchObject(bought);
    expect(await open()).toMatchObject({ ...reused, proof: original.proof });
    const query = `query ($input: UnitEstimateInput!) { unitEstimate(input: $input) { estimatedUnits } }`;
    const variables = { input: { operation: creditOf(first).query, rows: [first, second].map((nss) => ({ nss })) } };
    for (const [age, price] of Object.entries({ '11d': 0, '9d': 1 })) {
      expect((await priceOf(padron, creditOf(first), within(age))).estimatedUnits).toBe(price);
      const { data } = await askPriced(padron, { query, variables }, within(age));
      expect(data.unitEstimate.estimatedUnits).toBe(price + 1);
    }
    expect((await priceOf(padron, creditOf(first), caller)).estimatedUnits).toBe(1);
    const { proof } = await open(within('9d'));
    await pass(15);
    expect(await open()).toMatchObject({ ...reused, proof });
    await erase(padron, first);
    const later = await open();
    expect(later).toMatchObject(bought);
    expect(await open(within('1m'))).toMatchObject({ ...reused, proof: later.proof });
    await pass(31);
    expect(await open()).toMatchObject(bought);
    expect(paidCalls(service.calls)).toBe(5);
    const search = 'query ($nss: NSS!) { registryProofs(subject: { nss: $nss }) { entries { evidence { age } } } }';
    const { data } = await askPriced(padron, { query: search, variables: { nss: first } }, caller);
    // An entry for each request since the erasure, also for the reuse.
    const ages = data.registryProofs.entries.map(({ evidence }: { evidence: { age: number | null } }) => evidence.age);
    expect(ages).toEqual([null, expect.any(Number), null]);
    await padron.stop();
    const rows = await prepared.rows();
    const entries = rows.map(({ units, served_from: from, price }) => [units, from === 'KEPT' ? price : 0]);
    expect([entries, bill.filter(([units]) => units === 1).length]).toEqual([bill, 5]);
  });

  it('are stored only if a request asks for it, with keyed links, and are purged by the days that were set then', async () => {
    await ask(padron, first, caller);
    await ask(padron, second, within('30d', { 'x-sandbox': 'true' }));
    await ask(padron, card('bad-request', 'nss'));
    expect(await stored()).toEqual({ answers: 0, links: 0, bytes: 0 });
    await ask(padron, first, within('0s'));
    await ask(padron, second);
    expect(await stored()).toEqual({ answers: 2, links: 2, bytes: expect.any(Number) });
    await pass(5, { REUSE_DAYS: '4' });
    const { errors } = await ask(padron, first, within('5d'));
    expect(errors?.[0].message).toMatch(/^The header `x-max-age` must be .* at most `4d` here/);
    expect(await ask(padron, first, within('4d'))).toMatchObject(bought);
    await pass(0, { REUSE_DAYS: '0' });
    expect((await ask(padron, first, within('0s'))).errors?.[0].message).toMatch(/is turned off here.* REUSE_DAYS\.$/);
    expect(await stored()).toMatchObject({ answers: 2, links: 2 });
    await pass(5);
    // The first was kept for 4 days, and the second for 30.
    expect(await stored()).toMatchObject({ answers: 1, links: 1 });
    expect(await ask(padron, second)).toMatchObject(reused);
    await pass(21);
    expect(await stored()).toEqual({ answers: 0, links: 0, bytes: 0 });
    expect(paidCalls(service.calls)).toBe(6);
  });

  it('are not reused after their own validity, whatever age they may have', async () => {
    // Noon in Mexico City.
    await pass(0.75 - (Date.now() % day) / day);
    const query = `query ($registration: EmployerRegistration!, $rfc: RFC) { employer(registration: $registration) {
      complianceOpinion(rfc: $rfc) { outcome validUntil evidence { servedFrom } } } }`;
    const variables = { registration: payer.registration, rfc: payer.rfc };
    const opinion = async () => {
      const { data, units } = await askPriced(padron, { query, variables }, within('30d'));
      const { validUntil, evidence } = data.employer.complianceOpinion;
      return [evidence.servedFrom, units?.spent, Date.parse(validUntil) > now().getTime()];
    };
    expect(await opinion()).toEqual(['LIVE', 2, true]);
    await pass(0.25);
    expect(await opinion()).toEqual(['KEPT', 0, true]);
    await pass(0.5);
    // The obligated subject is still valid.
    expect(await opinion()).toEqual(['LIVE', 1, true]);
    expect(await opinion()).toEqual(['KEPT', 0, true]);
  });
});

describe('an answer that may have an age', () => {
  const rig = sharingRig({ ...withJwts, PURPOSES: 'hiring,credit' });
  const ownRig = engineRig('postgres');
  const service = sandboxForTests();
  const startOn = (prepared: PreparedPadron, environment: Headers = {}) =>
    prepared.start({ registryUrl: () => service.url, environment });
  beforeEach(() => rig.padrons.query('TRUNCATE answers, answer_contents, answer_subjects'));
  afterEach(() => rig.padrons.proxy.tamper(null));

  it('crosses no account and no purpose', async () => {
    const settings = { REPLAY_SECONDS: '0', REUSE_DAYS: '30', PURPOSES: 'hiring,credit' };
    const prepared = await preparePadron(ownRig, settings);
    const [one, two] = [await startOn(prepared), await startOn(prepared)];
    for (const token of [SANDBOX_TOKEN, OTHER_TOKEN])
      for (const purpose of [{}, { 'x-purpose': 'hiring' }, { 'x-purpose': 'credit' }]) {
        const headers = within('30d', { authorization: `Bearer ${token}`, ...purpose });
        expect(await ask(two, first, headers)).toMatchObject(bought);
        expect(await ask(one, first, headers)).toMatchObject(reused);
      }
  });

  it('is no failure, and a failed refresh leaves the older answer', async () => {
    const { first: one, second: other, proxy } = rig.padrons;
    const nss = rig.nextPerson();
    const mismatch = card('somebody-else', 'nss');
    for (const padron of [one, other]) expect((await ask(padron, mismatch)).spent).toBe(1);
    const original = await ask(one, nss);
    proxy.standIn(() => ({ status: 503, bytes: Buffer.from('{}') }));
    for (const padron of [one, other])
      expect(await ask(padron, nss, within('0s'))).toMatchObject({ outcome: 'UNAVAILABLE', servedFrom: 'LIVE' });
    proxy.standIn(null);
    expect(await ask(other, nss)).toMatchObject({ ...reused, proof: original.proof });
  });

  it('is paid for once by processes that ask at the same time', async () => {
    const { first: one, second: other, proxy } = rig.padrons;
    const nss = rig.nextPerson();
    const held = holdCalls(proxy);
    const together = [one, other, one, other].map((padron) => ask(padron, nss));
    await waitUntil(() => isAwaited(rig.padrons));
    held.release();
    expect(sumOf(await Promise.all(together))).toBe(1);
    for (const padron of [one, other]) expect(await ask(padron, nss, within('0s'))).toMatchObject(bought);
  });

  it.each([
    ['without an age', caller],
    ['with 0s', within('0s')],
    ['with 0s, in another operation', within('0s', { 'x-operation-id': 'another' })],
  ])(
    'is not that of a call which was running before a request with 0s: %s. Those who wait for its end pay once',
    async (_what, headers) => {
      const { first: one, second: other, proxy } = rig.padrons;
      const nss = rig.nextPerson();
      const held = holdCalls(proxy);
      const older = ask(one, nss, headers);
      await held.arrived(1);
      // It waits for the older call, too, and gets its answer.
      const sharing = ask(other, nss, within('1h'));
      await waitUntil(() => isAwaited(rig.padrons));
      const anew = [one, other, one, other].map((padron) => ask(padron, nss, within('0s')));
      await setTimeout(300);
      expect(callsOf(proxy)).toBe(1);
      held.release();
      expect(await older).toMatchObject(bought);
      expect((await sharing).proof.checkedAt).toBe((await older).proof.checkedAt);
      const answers = await Promise.all(anew);
      expect(sumOf(answers)).toBe(1);
      for (const { proof } of answers) expect(proof.checkedAt).not.toBe((await older).proof.checkedAt);
      expect(callsOf(proxy)).toBe(2);
    },
  );

  it('is that of a running call for a request whose age allows it', async () => {
    const { first: one, second: other, proxy } = rig.padrons;
    const nss = rig.nextPerson();
    const held = holdCalls(proxy);
    const older = ask(one, nss, within('0s'));
    await held.arrived(1);
    const joined = [one, other].map((padron) => ask(padron, nss, within('1m')));
    await waitUntil(() => isAwaited(rig.padrons));
    await setTimeout(300);
    held.release();
    expect(sumOf(await Promise.all([older, ...joined]))).toBe(1);
  });

  it('is not asked twice with 0s by a follow-up or by a split operation, and is by the next one', async () => {
    const { first: one, second: other, proxy } = rig.padrons;
    const [nss, next] = [rig.nextPerson(), rig.nextPerson()];
    const held = holdCalls(proxy);
    expect(await ask(one, nss, within('0s', { 'x-answer-within': '200ms' }))).toMatchObject({ outcome: 'UNAVAILABLE' });
    held.release();
    for (const padron of [one, other])
      expect(await ask(padron, nss, within('0s'))).toMatchObject({ servedFrom: 'REPLAY', spent: 0, saved: 0 });

    const part = within('0s', { 'x-operation-id': 'one-operation' });
    expect(await ask(one, next, part)).toMatchObject(bought);
    for (const padron of [one, other]) expect(await ask(padron, next, part)).toMatchObject(reused);
    expect(await ask(one, next, { ...part, 'x-operation-id': 'next-operation' })).toMatchObject(bought);
  });

  it('is not asked twice by a split operation whose answer was replaced', async () => {
    const { first: one, second: other } = rig.padrons;
    const part = (id: string) => within('0s', { 'x-operation-id': id });
    const nss = rig.nextPerson();
    for (const id of ['replaced', 'newer']) expect(await ask(one, nss, part(id))).toMatchObject(bought);
    for (const padron of [one, other]) expect(await ask(padron, nss, part('replaced'))).toMatchObject(reused);
  });

  it('is paid for once by the parts of a split operation with 0s that ask it at the same time in two processes', async () => {
    const { first: one, second: other, proxy } = rig.padrons;
    const part = within('0s', { 'x-operation-id': 'together' });
    const nss = rig.nextPerson();
    const held = holdCalls(proxy);
    const older = ask(one, nss, part);
    await held.arrived(1);
    const parts = [one, other, one, other].map((padron) => ask(padron, nss, part));
    await waitUntil(() => isAwaited(rig.padrons));
    await setTimeout(300);
    held.release();
    expect(sumOf(await Promise.all([older, ...parts]))).toBe(1);
    for (const padron of [one, other]) expect(await ask(padron, nss, part)).toMatchObject(reused);
    expect(callsOf(proxy)).toBe(1);
  });

  it('is not asked twice with 0s by follow-ups of a slow registry, in two processes', async () => {
    const { first: one, second: other, proxy } = rig.padrons;
    const nss = rig.nextPerson();
    const held = holdCalls(proxy);
    const early = within('0s', { 'x-answer-within': '1s' });
    expect(await ask(one, nss, early)).toMatchObject({ outcome: 'UNAVAILABLE' });
    // On a busy machine the question does not reach the store in time.
    for (const padron of [other, one, other])
      expect(await ask(padron, nss, early)).toMatchObject({
        outcome: expect.stringMatching(/UNAVAILABLE|NOT_RUN/),
        spent: 0,
      });
    const patient = [one, other].map((padron) => ask(padron, nss, within('0s')));
    await setTimeout(300);
    held.release();
    for (const answer of await Promise.all(patient)) expect(answer).toMatchObject({ servedFrom: 'REPLAY', spent: 0 });
    for (const padron of [one, other])
      expect(await ask(padron, nss, within('0s'))).toMatchObject({ servedFrom: 'REPLAY', spent: 0 });
    expect(callsOf(proxy)).toBe(1);
  });

  it('is asked again with 0s ten minutes after its operation began, and by another client with the ID of the operation', async () => {
    const { first: one, second: other, query } = rig.padrons;
    const part = within('0s', { 'x-operation-id': 'nightly-sync' });
    const nss = rig.nextPerson();
    expect(await ask(one, nss, part)).toMatchObject(bought);
    const rest = { 'x-max-age': '0s', 'x-operation-id': 'nightly-sync' };
    expect(await ask(other, nss, { ...as('finance', 'use_buscar_credito padron_ledger'), ...rest })).toMatchObject(
      bought,
    );
    // Requests in between do not prolong it.
    for (let minutes = 3; minutes <= 9; minutes += 3) {
      await query(
        `UPDATE call_operations SET began_at = began_at - interval '3 minutes', expires_at = expires_at - interval '3 minutes'`,
      );
      expect(await ask(minutes === 6 ? one : other, nss, part)).toMatchObject(reused);
    }
    await query(
      `UPDATE call_operations SET began_at = began_at - interval '2 minutes', expires_at = expires_at - interval '2 minutes'`,
    );
    for (const padron of [one]) expect(await ask(padron, nss, part)).toMatchObject(bought);
    expect(await ask(other, nss, part)).toMatchObject(reused);
  });

  it('is kept for a request with an age that has joined the call of one without', async () => {
    const { first: one, second: other, proxy } = rig.padrons;
    const nss = rig.nextPerson();
    const held = holdCalls(proxy);
    const paid = ask(one, nss, caller);
    await held.arrived(1);
    const joined = ask(one, nss, within('1m', { 'x-operation-id': 'joins' }));
    await setTimeout(200);
    held.release();
    expect([(await paid).spent, (await joined).spent]).toEqual([1, 0]);
    for (const padron of [one, other])
      expect(await ask(padron, nss, within('1m', { 'x-operation-id': 'joins' }))).toMatchObject(reused);
  });

  it('is not kept for a purpose for which it was not bought, if a request has joined its call', async () => {
    const { first: padron, proxy } = rig.padrons;
    const nss = rig.nextPerson();
    const held = holdCalls(proxy);
    const paid = ask(padron, nss, { ...caller, 'x-purpose': 'hiring' });
    await held.arrived(1);
    const joined = ask(padron, nss, within('30d', { 'x-purpose': 'credit' }));
    await setTimeout(200);
    held.release();
    expect([(await paid).spent, (await joined).spent]).toEqual([1, 0]);
    for (const purpose of ['credit', 'hiring'])
      expect(await ask(padron, nss, within('30d', { 'x-purpose': purpose }))).toMatchObject(bought);
  });

  it.each([
    ['kept', '30d', 0],
    ['replayed', null, 60],
  ] as const)(
    'is not made doubtful for the one who paid by another client that finds a contradiction in it: %s',
    async (_what, age, seconds) => {
      const padron = await startOn(await preparePadron(ownRig, withJwts), { REPLAY_SECONDS: String(seconds) });
      const credit =
        'query ($nss: NSS!, $curp: CURP) { person(nss: $nss, curp: $curp) { credit { problems { code } evidence { servedFrom } } } }';
      const askAs = async (client: string, curp: string | null) => {
        const headers = {
          ...as(client, 'use_buscar_credito padron_proofs padron_ledger'),
          ...(age && { 'x-max-age': age }),
        };
        const { data } = await askPriced(padron, { query: credit, variables: { nss: first, curp } }, headers);
        return data.person.credit.problems.map(({ code }: { code: string }) => code);
      };
      expect(await askAs('payroll', null)).toEqual([]);
      expect(await askAs('kiosk', people.find(({ nss }) => nss !== first)?.curp ?? '')).toEqual(['IDENTITY_CONFLICT']);
      const search =
        'query ($nss: NSS!) { registryProofs(subject: { nss: $nss }) { entries { client problem } } registryLedger { entries { client problem } } }';
      const proofs = [
        { client: 'kiosk', problem: 'IDENTITY_CONFLICT' },
        { client: 'payroll', problem: null },
      ];
      await waitUntil(async () => {
        const { data } = await askPriced(padron, { query: search, variables: { nss: first } }, caller);
        return (
          JSON.stringify([data.registryProofs.entries, data.registryLedger.entries]) ===
          JSON.stringify([proofs, proofs])
        );
      });
      await padron.stop();
    },
  );

  it('of an operation that lasts is not used for another purpose', async () => {
    const { first: one, second: other } = rig.padrons;
    const nss = rig.nextPerson();
    const operation = newOperation({}, caller);
    for (const purpose of ['hiring', 'credit'])
      expect(await ask(one, nss, { ...operation.begin, 'x-purpose': purpose })).toMatchObject(bought);
    for (const purpose of ['hiring', 'credit'])
      for (const padron of [one, other])
        expect(await ask(padron, nss, { ...operation.later, 'x-purpose': purpose })).toMatchObject(reused);
  });

  it('is used by each client that may ask, and not counted by an operation that lasts, whose own answer comes first', async () => {
    const { first: one, second: other } = rig.padrons;
    const nss = rig.nextPerson();
    const old = await ask(one, nss);
    const operation = newOperation(within('0s'), caller);
    const own = await ask(one, nss, operation.begin);
    expect(own).toMatchObject(bought);
    expect(await ask(other, nss, operation.later)).toMatchObject({ ...reused, saved: 1 });
    // The newer answer has replaced the older one for all others.
    const shared = await ask(other, nss);
    expect([shared.proof, shared.proof.ledgerId === old.proof.ledgerId]).toEqual([own.proof, false]);
    expect(await ask(other, nss, within('30d', as('finance', 'use_buscar_credito')))).toMatchObject(reused);
    const refused = await ask(other, nss, within('30d', as('sales', 'padron_ledger')));
    expect(refused).toMatchObject({ outcome: 'NOT_PERMITTED', spent: 0, saved: 0 });
    expect(await sumsOf(one, operation, caller)).toMatchObject({ spentUnits: 1, uncertainUnits: 0 });
    await end(one, operation, caller);
    const names = await rig.padrons.query<{ id: string }>("SELECT id FROM operations WHERE id LIKE 'reuse %'");
    for (const { id } of names) expect(await sumsOf(one, { ...operation, id }, caller)).toBeNull();
  });

  it('is not kept if its person is erased while the call runs', async () => {
    const { first: one, second: other, proxy } = rig.padrons;
    const nss = rig.nextPerson();
    const held = holdCalls(proxy);
    const answer = ask(one, nss);
    await held.arrived(1);
    await erase(other, nss);
    held.release();
    expect(await answer).toMatchObject(bought);
    expect((await rig.padrons.query<object>(keptSql))[0]).toMatchObject({ answers: 0, links: 0 });
    expect(await ask(one, nss)).toMatchObject(bought);
    expect(await ask(other, nss)).toMatchObject(reused);
  });

  it('is asked again if the quota had no room for it, and its request, the log and a metric show that', async () => {
    const padron = await startOn(await preparePadron(ownRig, withJwts), { KEEP_ACCOUNT_BYTES: '1000' });
    expect(await ask(padron, first)).toMatchObject({ ...bought, isKept: true });
    expect(await ask(padron, second)).toMatchObject({ ...bought, isKept: false });
    expect(await ask(padron, third, caller)).toMatchObject({ ...bought, isKept: null });
    expect([await ask(padron, first), await ask(padron, second)]).toMatchObject([
      { servedFrom: 'KEPT', isKept: null },
      { servedFrom: 'LIVE', isKept: false },
    ]);
    expect(padron.log.filter((line) => line.includes('KEEP_ACCOUNT_BYTES of the account are used up'))).toHaveLength(2);
    expect((await scrapeMetrics(padron)).of('padron_answers_not_kept_total')).toBe(2);
  });

  it('is kept for a request that shares the call of one that did not ask for it, and shows it', async () => {
    const { first: padron, proxy } = rig.padrons;
    const nss = rig.nextPerson();
    const held = holdCalls(proxy);
    const paying = ask(padron, nss, caller);
    await held.arrived(1);
    const join = jest.spyOn(InFlightCalls.prototype, 'join');
    const sharing = ask(padron, nss);
    await waitUntil(() => join.mock.calls.length === 1);
    join.mockRestore();
    held.release();
    expect(await paying).toMatchObject(bought);
    expect(await sharing).toMatchObject({ servedFrom: 'REPLAY', isKept: true });
  });

  it('is replayed to its split operation if the quota had no room for it', async () => {
    const settings = { KEEP_ACCOUNT_BYTES: '1000', REPLAY_SECONDS: '60' };
    const padron = await startOn(await preparePadron(ownRig, withJwts), settings);
    const part = (id: string) => within('0s', { 'x-operation-id': id });
    for (const nss of [first, second]) expect(await ask(padron, nss, part('one'))).toMatchObject(bought);
    expect(await ask(padron, second, part('one'))).toMatchObject({ servedFrom: 'REPLAY', spent: 0, saved: 1 });
    expect(await ask(padron, second, part('two'))).toMatchObject(bought);
  });

  it('is found under every key of DATA_KEYS', async () => {
    const [old, fresh] = ['0123456789abcdef'.repeat(3), 'fedcba9876543210'.repeat(3)];
    const prepared = await preparePadron(ownRig, withJwts);
    const open = (...keys: readonly string[]) => startOn(prepared, { DATA_KEYS: keys.join(',') });
    expect(await ask(await open(old), first)).toMatchObject(bought);
    const both = await open(fresh, old);
    expect(await ask(both, first)).toMatchObject(reused);
    const refreshed = await ask(both, first, within('0s'));
    for (const padron of [both, await open(old, fresh)])
      expect(await ask(padron, first)).toMatchObject({ ...reused, proof: refreshed.proof });
    expect(await prepared.read((store) => store.query(keptSql))).toMatchObject([{ answers: 1, links: 1 }]);
    const more = indebted.slice(1, 7);
    for (const nss of more) expect(await ask(both, nss)).toMatchObject(bought);
    // The old key is not needed any more.
    const last = await open(fresh);
    for (const nss of more) expect(await ask(last, nss)).toMatchObject(reused);
  });

  it('is used by the rows of a batch, and kept for later requests', async () => {
    const prepared = await preparePadron(ownRig, withJwts);
    const before = await startOn(prepared);
    const clientOf = (padron: RunningPadron) => new BatchClient(padron, caller.authorization?.slice('Bearer '.length));
    expect(await ask(before, first)).toMatchObject(bought);
    const operation = 'query ($nss: NSS!) { person(nss: $nss) { credit { evidence { servedFrom age } } } }';
    const input = { operation, rows: [first, second, third, third].map((nss) => ({ nss })), key: 'payroll' };
    const creator = clientOf(before);
    const refused = await creator.create({ ...input, maxAge: '31d' });
    expect(refused.problems[0]).toMatchObject({ code: 'INVALID_FORMAT', path: ['input', 'maxAge'] });
    const { batch } = await creator.create({ ...input, maxAge: '30d' });
    for (const age of [{ maxAge: '1d' }, {}])
      expect((await creator.create({ ...input, ...age })).problems[0].path).toEqual(['input', 'key']);
    const { estimate } = await creator.until(batch.id, 'READY');
    expect(estimate.estimatedUnits).toBe(2);
    expect(await prepared.read((store) => store.query(pricesSql))).toEqual([]);
    const finance = new BatchClient(before, as('finance', scopes.join(' ')).authorization?.slice('Bearer '.length));
    const seen = await finance.create({ ...input, key: 'bonus', maxAge: '30d' });
    expect((await finance.until(seen.batch.id, 'READY')).estimate.estimatedUnits).toBe(2);
    expect(await prepared.read((store) => store.query(pricesSql))).toEqual([{ client: 'finance' }]);
    await before.stop();
    const padron = await startOn(prepared, { REUSE_DAYS: '20' });
    const client = clientOf(padron);
    await client.change(`startRegistryBatch(id: "${batch.id}", maxUnits: 4)`);
    const { progress } = await client.until(batch.id, 'DONE');
    expect(progress).toMatchObject({ done: 4, spentUnits: 2, savedUnits: 2 });
    const [{ data }] = await client.rows(batch.id);
    expect(data.person.credit.evidence).toEqual({ servedFrom: 'KEPT', age: expect.any(Number) });
    for (const nss of [second, third]) expect(await ask(padron, nss, within('20d'))).toMatchObject(reused);
  });

  it('is free in the price of a batch, if its client may ask for it, and in its run by any process', async () => {
    const prepared = await preparePadron(ownRig, withJwts);
    const padron = await startOn(prepared);
    const clientOf = (headers: Headers, of = padron) =>
      new BatchClient(of, headers.authorization?.slice('Bearer '.length));
    for (const nss of [first, second]) expect(await ask(padron, nss)).toMatchObject(bought);
    const operation = 'query ($nss: NSS!) { person(nss: $nss) { credit { evidence { servedFrom } } } }';
    const price = async (client: BatchClient): Promise<[string, number]> => {
      const { batch } = await client.create({ operation, rows: [{ nss: first }, { nss: second }], maxAge: '30d' });
      return [batch.id, (await client.until(batch.id, 'READY')).estimate.estimatedUnits];
    };
    expect((await price(clientOf(as('sales', 'padron_batch'))))[1]).toBe(2);
    expect(await prepared.read((store) => store.query(pricesSql))).toEqual([]);
    const client = clientOf(caller);
    const [[again, unitsAgain], [free, freeUnits]] = [await price(client), await price(client)];
    expect([unitsAgain, freeUnits]).toEqual([0, 0]);
    await client.change(`startRegistryBatch(id: "${again}", maxUnits: 2, earlierAnswers: PAY_AGAIN)`);
    const { progress, estimate } = await client.until(again, 'DONE');
    expect([progress.spentUnits, estimate.estimatedUnits]).toEqual([2, 2]);
    await padron.stop();
    const withoutReuse = clientOf(caller, await startOn(prepared, { REUSE_DAYS: '0' }));
    await withoutReuse.change(`startRegistryBatch(id: "${free}", maxUnits: 2)`);
    expect((await withoutReuse.until(free, 'DONE')).progress).toMatchObject({ done: 2, spentUnits: 0 });
  });
});
