import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { bearer, JWT_SECRET } from '../../../support/keys/identity-provider';
import { preparePadron } from '../../../support/padrons/ledger';
import { runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { waitUntil } from '../../../support/proxies/deferred';
import { askPriced, priceOf } from '../../../support/requests/money';
import { waitForMetric } from '../../../support/requests/scrape-metrics';
import { card } from '../../../support/sandbox/cards';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../../../support/stores/engines';
import {
  check,
  creditOf,
  creditsOf,
  end,
  holdCalls,
  indebted,
  kept,
  newOperation,
  paid,
  paidCalls,
  sumsOf,
  untilOf,
} from './operation';

const [first = '', second = '', third = '', fourth = ''] = indebted;
const day = 86_400_000;

describe.each(engines)('an operation that lasts, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const service = sandboxForTests();
  const calls = (): number => paidCalls(service.calls);
  const prepare = async (settings: Readonly<Record<string, string>> = {}) => {
    const prepared = await preparePadron(rig, { REPLAY_SECONDS: '0', ...settings });
    service.clearCalls();
    return { prepared, start: () => prepared.start({ registryUrl: () => service.url }) };
  };

  it('answers the same question again without a call, in every process and after a restart, until it is ended', async () => {
    const { prepared, start } = await prepare();
    let padron = await start();
    const operation = newOperation();
    const answer = await check(padron, first, operation.begin);
    expect(answer).toMatchObject(paid);
    expect(answer.proof.validationCode).toEqual(expect.any(String));
    const again = { ...kept, proof: answer.proof, until: answer.until };
    expect(await check(padron, first, operation.later)).toEqual(again);
    if (engine === 'embedded') await padron.stop();
    padron = await start();
    expect(await check(padron, first, operation.later)).toEqual(again);
    expect(await check(padron, first, operation.begin)).toEqual(again);
    expect(calls()).toBe(1);
    // Requests outside of the operation get nothing of it: without its ID, with another one, of another account, in sandbox mode.
    expect(await check(padron, first)).toMatchObject({ ...paid, until: null });
    expect(await check(padron, first, newOperation().begin)).toMatchObject(paid);
    expect(await check(padron, first, { ...operation.begin, authorization: `Bearer ${OTHER_TOKEN}` })).toMatchObject(
      paid,
    );
    const sandbox = await check(padron, first, { ...operation.begin, 'x-sandbox': 'true' });
    expect(sandbox).toMatchObject({ servedFrom: 'SANDBOX', spent: 0 });
    expect(calls()).toBe(5);

    const sums = { spentUnits: 1, uncertainUnits: 0, maxUnits: null, leftUnits: null, until: answer.until };
    expect(await sumsOf(padron, operation)).toMatchObject(sums);
    expect(await sumsOf(padron, newOperation())).toBeNull();
    const byGet = new URL(padron.url);
    byGet.search = `${new URLSearchParams({ query: `{ registryOperation(id: "${operation.id}") { spentUnits } }` })}`;
    const headers = { authorization: `Bearer ${SANDBOX_TOKEN}`, 'apollo-require-preflight': 'true' };
    const got = await fetch(byGet, { headers });
    expect(got.status).toBe(405);
    // What answers save is written a second later.
    await waitUntil(async () => (await sumsOf(padron, operation)).savedUnits === 3);
    expect(await end(padron, operation)).toMatchObject({ ...sums, savedUnits: 3 });
    expect([await sumsOf(padron, operation), await end(padron, operation)]).toEqual([null, null]);
    expect(await check(padron, first, operation.later)).toMatchObject({ ...paid, until: null });
    await padron.stop();
    const left = 'SELECT a.name FROM answers a JOIN operations o ON o.id = a.operation WHERE o.expires_at < now()';
    expect(await prepared.read((store) => store.query(left))).toEqual([]);
  });

  it('keeps every answer that was charged, and no free failure', async () => {
    const { start } = await prepare();
    const padron = await start();
    const operation = newOperation();
    const [mismatch, failure, free] = [
      card('somebody-else', 'nss'),
      card('not-found', 'nss'),
      card('bad-request', 'nss'),
    ];
    for (const nss of [mismatch, failure]) {
      const answer = await check(padron, nss, operation.begin);
      expect(answer).toMatchObject({ spent: 1, uncertain: 0 });
      const again = await check(padron, nss, operation.later);
      expect(again).toMatchObject({
        outcome: answer.outcome,
        problems: answer.problems,
        proof: answer.proof,
        spent: 0,
      });
    }
    expect(calls()).toBe(2);
    for (const _ of [1, 2])
      expect(await check(padron, free, operation.begin)).toMatchObject({ servedFrom: 'LIVE', spent: 0 });
    expect(calls()).toBe(4);
    expect(await sumsOf(padron, operation)).toMatchObject({ spentUnits: 2, uncertainUnits: 0 });
  });

  it('counts kept answers as free in the refusal by a limit', async () => {
    const { start } = await prepare();
    const padron = await start();
    const operation = newOperation();
    await askPriced(padron, creditsOf([first, second]), operation.begin);
    const all = creditsOf([first, second, third]);
    expect((await priceOf(padron, all, operation.later)).estimatedUnits).toBe(1);
    expect((await priceOf(padron, all)).estimatedUnits).toBe(3);
    const rows = [first, second, third].map((nss) => ({ nss }));
    const query = `query Price($input: UnitEstimateInput!) { unitEstimate(input: $input) { estimatedUnits } }`;
    const variables = { input: { operation: 'query ($nss: NSS) { person(nss: $nss) { credit { outcome } } }', rows } };
    const estimated = await askPriced(padron, { query, variables }, operation.later);
    expect(estimated.data?.unitEstimate.estimatedUnits).toBe(1);
    const refused = await askPriced(padron, all, { ...operation.later, 'x-max-units': '2' });
    expect(refused.errors?.[0].message).toMatch(/^The operation may cost 1 unit/);
    const answered = await askPriced(padron, all, { ...operation.later, 'x-max-units': '3' });
    expect([answered.units?.spent, answered.errors]).toEqual([1, undefined]);
    expect(calls()).toBe(3);
  });

  it('reads the balance anew, which every paid call changes', async () => {
    const { start } = await prepare({ BALANCE_PATH: '/api/balance' });
    const padron = await start();
    const operation = newOperation();
    const balance = async () => Number((await priceOf(padron, creditOf(third), operation.later)).currentBalance);
    await check(padron, first, operation.begin);
    const before = await balance();
    await check(padron, second, operation.later);
    expect([before > 0, await balance()]).toEqual([true, before - 1]);
  });

  it('says on every response until when, and is extended by a longer time only', async () => {
    const { start } = await prepare();
    const padron = await start();
    const operation = newOperation();
    const keepFor = (time: string) => ({ ...operation.later, 'x-operation-keep': time });
    const began = Date.now();
    const until = async (headers: Readonly<Record<string, string>>, request = creditOf(first)) =>
      untilOf(await askPriced(padron, request, headers));
    const days = (text: string | null): number => Math.round(((Date.parse(text ?? '') - began) / day) * 100) / 100;
    const short = await until(keepFor('12h'));
    expect(days(short)).toBe(0.5);
    const long = await until(keepFor('2d'));
    expect(days(long)).toBe(2);
    expect(await until(keepFor('1h'))).toBe(long);
    expect(await until(operation.later)).toBe(long);
    for (const query of ['{ nothing }', '{ unreadable', '{ person(nss: 1) { nss } }'])
      expect(await until(operation.later, { query })).toBe(long);
    expect(await until({ ...operation.later, 'x-max-units': '0' }, creditOf(fourth))).toBe(long);
    expect(await until({ ...operation.later, 'x-dry-run': 'true' })).toBe(long);
    expect(calls()).toBe(1);
    for (const time of ['0h', '8d', '200h', 'week', '1.5d', '']) {
      const { status } = await askPriced(padron, creditOf(first), keepFor(time));
      expect([time, status]).toEqual([time, 400]);
    }
    const guessable = { 'x-operation-id': 'x'.repeat(19), 'x-operation-keep': '1d' };
    expect((await askPriced(padron, creditOf(second), guessable)).status).toBe(400);
    expect(calls()).toBe(1);
  });

  it('that is ended under traffic says so to the requests that wait, and promises nothing to those that run', async () => {
    const { prepared } = await prepare();
    const padron = await runPadronBehindProxy({ REGISTRY_CONCURRENCY: '1', ...prepared.environment });
    try {
      const operation = newOperation();
      const held = holdCalls(padron.proxy);
      const running = check(padron, first, operation.begin);
      await held.arrived(1);
      const waiting = check(padron, second, operation.begin);
      // The second request has begun when it waits for its turn.
      await waitForMetric(padron, 'padron_registry_calls_waiting', 1);
      await end(padron, operation);
      held.release();
      expect(await running).toMatchObject({ ...paid, until: null });
      expect(await waiting).toMatchObject({ outcome: 'NOT_RUN', problems: ['OPERATION_ENDED'], spent: 0, until: null });
      const again = await check(padron, second, operation.begin);
      expect(again).toMatchObject({ ...paid, until: expect.any(String) });
    } finally {
      await padron.stop();
    }
  });

  it('belongs to the client of a JWT, and without JWTs to the account', async () => {
    const { start } = await prepare({ JWT_SECRET, REGISTRY_TOKEN: SANDBOX_TOKEN });
    const padron = await start();
    const operation = newOperation();
    const as = (client: string) => ({
      ...operation.begin,
      ...bearer({ client_id: client, scope: 'use_buscar_credito padron_ledger' }),
    });
    expect(await check(padron, first, as('hr'))).toMatchObject(paid);
    expect(await sumsOf(padron, operation, { authorization: as('finance').authorization })).toBeNull();
    expect(await check(padron, first, as('finance'))).toMatchObject(paid);
    expect(await check(padron, first, as('hr'))).toMatchObject(kept);
    expect(calls()).toBe(2);
  });
});
