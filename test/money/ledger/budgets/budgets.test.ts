import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { StoredBudgets } from '../../../../src/money/ledger/budgets/stored-budgets';
import { Calendar } from '../../../../src/money/ledger/entries/period';
import { StoreBusyError } from '../../../../src/store/store';
import { bearer, JWT_SECRET } from '../../../support/keys/identity-provider';
import { base64Input, credentialOf, TODAY, verifyMutation } from '../../../support/keys/signatures';
import { DATA_KEY, insertBudget } from '../../../support/padrons/budgets';
import { preparePadron } from '../../../support/padrons/ledger';
import type { RunningPadron, Setup } from '../../../support/padrons/padron';
import { sharingRig } from '../../../support/padrons/sharing-padrons';
import { type PadronProcess, startProcess } from '../../../support/processes/process';
import { waitUntil } from '../../../support/proxies/deferred';
import { indebted } from '../../../support/requests/credit-request';
import { askPriced, type PricedAnswer, type Request } from '../../../support/requests/money';
import { card } from '../../../support/sandbox/cards';
import { sandboxForEachTest } from '../../../support/sandbox/sandbox-for-tests';
import { bothEngines, engineRig, engines } from '../../../support/stores/engines';

const query = 'query Budget($nss: NSS!) { person(nss: $nss) { credit { problems { code message } } } }';

const credit = (nss = indebted[0]): Request => ({ query: `{ person(nss: "${nss}") { credit { outcome } } }` });
const free: Request = { query: '{ __typename }' };
const leftOf = ({ units }: PricedAnswer) => units?.budgets?.map(({ left }) => left);

describe.each(engines)('a budget over time on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const service = sandboxForEachTest();

  const start = async (budget: Parameters<typeof insertBudget>[2], setup: Setup = {}) => {
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY });
    await insertBudget(prepared, service.url, budget);
    return prepared.start({ ...setup, registryUrl: () => service.url });
  };
  const problemOf = async (padron: RunningPadron, index: number, headers = {}) =>
    (await padron.ask(query, { nss: indebted[index] }, headers)).data.person.credit.problems[0];

  it.each([
    [
      { units: 0, client: 'payroll' },
      'the budget of 0 units a day for the client payroll has 0 left',
      'del presupuesto de 0 unidades por día del cliente payroll quedan 0',
    ],
    [
      { units: 0, tag: 'Nómina', period: 'MONTH' },
      'the budget of 0 units a month for the tag Nómina has 0 left',
      'del presupuesto de 0 unidades por mes de la etiqueta Nómina quedan 0',
    ],
    [
      { units: 0, client: 'payroll', tag: 'Nómina' },
      'the budget of 0 units a day for the client payroll and the tag Nómina has 0 left',
      'del presupuesto de 0 unidades por día del cliente payroll y de la etiqueta Nómina quedan 0',
    ],
    [
      { units: 1 },
      'the budget of 1 unit a day for the account has 0 left',
      'del presupuesto de 1 unidad por día de la cuenta quedan 0',
    ],
  ] as const)('is named in the message in English and Spanish: %j', async (budget, english, spanish) => {
    const padron = await start(budget);
    const headers = { 'x-client-name': 'payroll', 'x-tag': Buffer.from('Nómina').toString('latin1') };
    if (budget.units > 0) await problemOf(padron, 0, headers);
    const messageIn = async (language: string): Promise<string> =>
      (await problemOf(padron, 1, { ...headers, 'accept-language': language })).message;
    expect(await messageIn('en')).toContain(`No call was made: ${english}, and this costs 1.`);
    expect(await messageIn('es-MX')).toContain(`No se consultó: ${spanish}, y esto cuesta 1.`);
    await padron.stop();
  });

  it('resets at midnight of the time zone', async () => {
    let moment = new Date('2026-11-23T05:59:00Z');
    const padron = await start({ units: 1 }, { now: () => moment });
    const codes = [];
    for (const [index, time] of ['05:59:10', '05:59:20', '06:00:00', '06:00:01'].entries()) {
      moment = new Date(`2026-11-23T${time}Z`);
      codes.push((await problemOf(padron, index))?.code);
    }
    expect(codes).toEqual([undefined, 'BUDGET_EXHAUSTED', undefined, 'BUDGET_EXHAUSTED']);
    await padron.stop();
  });
});

describe('what budgets have left, in processes that share a store', () => {
  const rig = sharingRig({ REPLAY_SECONDS: '0', REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET });
  type Place = { readonly url: string };
  const askAs = (place: Place, client_id: string, request: Request, headers = {}, scope = 'use_buscar_credito') =>
    askPriced(place, request, { ...bearer({ client_id, scope }), ...headers });
  const set = (input: string) => {
    const query = `mutation { setRegistryBudget(input: { ${input} }) { id } }`;
    return askAs(rig.padrons.first, 'finance', { query }, {}, 'padron_budgets');
  };
  let spawned: PadronProcess | undefined;
  afterAll(() => spawned?.stop());

  it('is shown to the client that a budget names, the tightest first, and to all with `padron_ledger` or `padron_budgets`', async () => {
    const { first } = rig.padrons;
    await set('client: "hr", period: MONTH, units: 5');
    await set('client: "hr", period: DAY, units: 6');
    await set('client: "sales", period: DAY, units: 7');
    await set('tag: "Norte", period: MONTH, units: 8');
    await set('tag: "Norte", period: DAY, units: 9');
    await set('client: "hr", tag: "Norte", period: DAY, units: 10');
    await set('period: MONTH, units: 1000');
    await set('period: DAY, units: 2000');
    const norte = { 'x-tag': 'Norte' };
    const answer = await askAs(first, 'hr', credit(), norte);
    expect([leftOf(answer), answer.headers['x-units-left']]).toEqual([[4, 5, 9], '4']);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const month = { client: 'hr', tag: null, period: 'MONTH', units: 5, left: 4, resetsAt: time, asOf: time };
    expect(answer.units?.budgets?.[0]).toEqual(month);
    expect(leftOf(await askAs(first, 'hr', free))).toEqual([4, 5]);
    expect(leftOf(await askAs(first, 'hr', free, norte, 'padron_ledger'))).toEqual([4, 5, 7, 8, 9]);
    expect(leftOf(await askAs(first, 'sales', free, norte, 'padron_budgets'))).toEqual([7, 7, 8, 999, 1_999]);
    // Whoever sends a tag sees nothing of what others have spent under it, nor of what the account has.
    expect(leftOf(await askAs(first, 'sales', free, { ...norte, 'x-dry-run': 'true' }))).toEqual([7]);
    expect(leftOf(await askAs(first, 'nobody', free, norte))).toBeUndefined();
    expect(leftOf(await askAs(first, 'sales', free))).toEqual([7]);
    expect(leftOf(await askAs(first, 'nobody', credit()))).toBeUndefined();
  });

  it('is not in the refusal of a call, unless the caller may see it', async () => {
    const { first } = rig.padrons;
    await set('tag: "Sur", period: DAY, units: 0');
    const asked = credit();
    const query = asked.query.replace('outcome', 'outcome problems { code message }');
    const refusalFor = async (scope: string, language = 'en') => {
      const sent = { 'x-tag': 'Sur', 'accept-language': language };
      const { data } = await askAs(first, 'hr', { ...asked, query }, sent, scope);
      return data.person.credit.problems;
    };
    const hidden = 'the budget of this day for the tag Sur does not cover this call.';
    const message = expect.stringMatching(`^No call was made: ${hidden} The budget resets on [-0-9]+\\.$`);
    expect(await refusalFor('use_buscar_credito')).toEqual([{ code: 'BUDGET_EXHAUSTED', message }]);
    const spanish = expect.stringContaining(
      'el presupuesto de la etiqueta Sur de este día no alcanza para esta consulta',
    );
    expect(await refusalFor('use_buscar_credito', 'es')).toMatchObject([{ message: spanish }]);
    const shown = expect.stringContaining('the budget of 0 units a day for the tag Sur has 0 left');
    expect(await refusalFor('use_buscar_credito padron_ledger')).toMatchObject([{ message: shown }]);
  });

  it('leaves out the units of a call that may have been charged, and counts those of a free call again', async () => {
    const { first } = rig.padrons;
    await set('client: "kiosk", period: DAY, units: 3');
    expect(leftOf(await askAs(first, 'kiosk', credit(card('unprocessable', 'nss'))))).toEqual([2]);
    // Sooner than a copy is read again: the statement that closes the call has seen it.
    await waitUntil(async () => leftOf(await askAs(first, 'kiosk', free))?.[0] === 3, 4_500);
    for (const request of [credit(card('html', 'nss')), free])
      expect(leftOf(await askAs(first, 'kiosk', request))).toEqual([2]);
  });

  it('is what the ledger has, while two processes are under load, and is read once in five seconds', async () => {
    const { first, settings, query } = rig.padrons;
    spawned = startProcess(settings());
    const second = { url: await spawned.address() };
    await set('client: "busy", period: DAY, units: 500');
    await set('client: "idle", period: DAY, units: 5');
    const began = performance.now();
    const copies = new Set<string | undefined>();
    let spent = 0;
    const work = async (place: Place, worker: number): Promise<void> => {
      for (const nss of [...indebted.slice(worker), ...indebted.slice(0, worker)].slice(0, 12)) {
        const spentBefore = spent;
        const answer = await askAs(place, 'busy', credit(nss));
        const ownUnits = answer.units?.spent ?? 0;
        expect(leftOf(answer)?.[0]).toBeLessThanOrEqual(500 - ownUnits * (spentBefore + 1));
        spent += ownUnits;
        copies.add((await askAs(second, 'idle', free)).units?.budgets?.[0]?.asOf);
      }
    };
    await Promise.all([first, second].flatMap((place) => [0, 1, 2, 3].map((worker) => work(place, worker))));
    expect(copies.size).toBeLessThanOrEqual(2 + (performance.now() - began) / 5_000);
    const sql = `SELECT sum(units)::int AS units FROM ledger_entries WHERE client = 'busy'`;
    await waitUntil(async () => (await query<{ readonly units: number }>(sql))[0]?.units === spent);
    // They ask fifteen questions, and share answers as their times have it.
    expect(spent).toBeGreaterThanOrEqual(15);
    for (const place of [first, second])
      await waitUntil(async () => leftOf(await askAs(place, 'busy', free))?.[0] === 500 - spent);
  });
});

describe.each(bothEngines)('what budgets have left without JWTs, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const service = sandboxForEachTest();

  it('is in every response: a replay, a refusal, a dry run and an operation that is too expensive', async () => {
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY });
    for (const period of ['DAY', 'MONTH'] as const) await insertBudget(prepared, service.url, { units: 2, period });
    const padron = await prepared.start({ now: () => TODAY, registryUrl: () => service.url });
    const ask = async (request: Request, headers = {}) => {
      const { units, data } = await askPriced(padron, request, headers);
      return [units?.budgets?.map(({ left }) => left), units?.spent, data?.person?.credit.outcome].flat();
    };
    const signature = { query: verifyMutation, variables: { input: base64Input(credentialOf('person')) } };
    const key = { 'idempotency-key': 'a-key' };
    await waitUntil(async () => (await ask(free))[0] === 2);
    expect(await ask(credit(), { 'x-dry-run': 'true' })).toEqual([2, 2, 0, undefined]);
    expect(await ask(credit(), { 'x-max-units': '0' })).toEqual([2, 2, 0, undefined]);
    expect(await ask(signature, key)).toEqual([1, 1, 1, undefined]);
    expect(await ask(credit())).toEqual([0, 0, 1, 'FOUND']);
    expect(await ask(signature, key)).toEqual([0, 0, 0, undefined]);
    expect(await ask(credit(indebted[1]))).toEqual([0, 0, 0, 'NOT_RUN']);
    const resets = (await askPriced(padron, free)).units?.budgets?.map(({ resetsAt }) => resetsAt);
    expect(resets).toEqual(['2026-12-01T06:00:00.000Z', '2026-11-21T06:00:00.000Z']);
    await padron.stop();
  });
});

const iso = ({ startsAt, endsAt }: { readonly startsAt: Date; readonly endsAt: Date }): readonly string[] => [
  startsAt.toISOString(),
  endsAt.toISOString(),
];

describe('the period of a moment', () => {
  it.each([
    ['America/Mexico_City', 'DAY', '2026-11-22T05:59:59.999Z', '2026-11-21T06:00:00.000Z', '2026-11-22T06:00:00.000Z'],
    ['America/Mexico_City', 'DAY', '2026-11-22T06:00:00.000Z', '2026-11-22T06:00:00.000Z', '2026-11-23T06:00:00.000Z'],
    [
      'America/Mexico_City',
      'MONTH',
      '2026-12-31T12:00:00.000Z',
      '2026-12-01T06:00:00.000Z',
      '2027-01-01T06:00:00.000Z',
    ],
    // A day of 23 hours, a day of 25 hours, and a day that begins at one o'clock.
    ['America/Tijuana', 'DAY', '2026-03-08T20:00:00.000Z', '2026-03-08T08:00:00.000Z', '2026-03-09T07:00:00.000Z'],
    ['America/Tijuana', 'DAY', '2026-11-01T20:00:00.000Z', '2026-11-01T07:00:00.000Z', '2026-11-02T08:00:00.000Z'],
    ['Asia/Beirut', 'DAY', '2026-03-29T12:00:00.000Z', '2026-03-28T22:00:00.000Z', '2026-03-29T21:00:00.000Z'],
    ['Pacific/Kiritimati', 'DAY', '2026-01-01T09:59:00.000Z', '2025-12-31T10:00:00.000Z', '2026-01-01T10:00:00.000Z'],
    ['UTC', 'MONTH', '2024-02-29T23:59:59.999Z', '2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ] as const)('in %s, %s of %s', (zone, kind, moment, startsAt, endsAt) => {
    expect(iso(new Calendar(zone).periodOf(kind, new Date(moment)))).toEqual([startsAt, endsAt]);
  });
});

it('that refuses operations as a whole is not taken for none if the store is slow', async () => {
  const options = { health: { isUnavailable: false }, calendar: new Calendar('UTC'), flush: async () => undefined };
  const found: readonly object[][] = [[{ budget: { client: null, tag: null, wholeOperations: false } }]];
  const query = (_: string, [[account]]: [[string]]) =>
    account === 'known' ? Promise.resolve(found[0]) : new Promise(() => undefined);
  const budgets = new StoredBudgets({ ...options, store: { query } as never, now: () => new Date() });
  budgets.areUsed = true;
  const find = (account: string) => budgets.findWhole([account], { client: null, tag: null });
  expect(await find('known')).toBeUndefined();
  await expect(find('slow')).rejects.toThrow(StoreBusyError);
});
