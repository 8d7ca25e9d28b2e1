import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { signedBySecret } from '../../support/keys/identity-provider';
import { base64Input, credentialOf, TODAY, verifyMutation } from '../../support/keys/signatures';
import { DATA_KEY, insertBudget } from '../../support/padrons/budgets';
import { preparePadron } from '../../support/padrons/ledger';
import { sharingRig } from '../../support/padrons/sharing-padrons';
import { startProcess } from '../../support/processes/process';
import { waitUntil } from '../../support/proxies/deferred';
import { askPriced, type PricedAnswer, type Request } from '../../support/requests/money';
import { card } from '../../support/sandbox/cards';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { bothEngines, engineRig } from '../../support/stores/engines';

const secret = 'a-secret-shared-with-the-identity-provider';
const numbers = people.filter(({ credit }) => Boolean(credit)).map(({ nss }) => nss);
const credit = (nss = numbers[0]): Request => ({ query: `{ person(nss: "${nss}") { credit { outcome } } }` });
const free: Request = { query: '{ __typename }' };
const leftOf = ({ units }: PricedAnswer) => units?.budgets?.map(({ left }) => left);
const scopesOf = ({ units }: PricedAnswer) =>
  units?.budgets?.map(({ client, tag, period, left }) => [client, tag, period, left].join(' '));

describe('what budgets have left, in processes that share a store', () => {
  const rig = sharingRig({ REPLAY_SECONDS: '0', REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: secret });
  type Place = { readonly url: string };
  const askAs = (place: Place, client_id: string, request: Request, headers = {}, scope = 'use_buscar_credito') =>
    askPriced(place, request, { authorization: `Bearer ${signedBySecret(secret, { client_id, scope })}`, ...headers });
  const set = (input: string) => {
    const query = `mutation { setRegistryBudget(input: { ${input} }) { id } }`;
    return askAs(rig.padrons.first, 'finance', { query }, {}, 'padron_budgets');
  };

  it('is shown to those whose calls a budget limits, the tightest first, and for the whole account with `padron_ledger` only', async () => {
    const { first } = rig.padrons;
    expect((await askAs(first, 'hr', credit())).units).not.toHaveProperty('budgets');
    for (const period of ['DAY', 'MONTH'])
      for (const [scope, units] of [
        ['', 2_000],
        ['client: "hr"', 6],
        ['tag: "Norte"', 8],
        ['client: "sales"', 7],
        ['client: "sales", tag: "Norte"', 3],
      ] as const)
        await set(`${scope} period: ${period} units: ${units}`);
    const norte = { 'x-tag': 'Norte' };
    const hr = ['hr  MONTH 4', 'hr  DAY 4', ' Norte MONTH 7', ' Norte DAY 7'];
    const answer = await askAs(first, 'hr', credit(), norte);
    expect([scopesOf(answer), answer.headers['x-units-left']]).toEqual([hr, '4']);
    const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const shown = { client: 'hr', tag: null, period: 'MONTH', units: 6, left: 4, resetsAt: iso, asOf: iso };
    expect(answer.units?.budgets?.[0]).toEqual(shown);
    const finance = { scope: 'use_buscar_credito padron_ledger' };
    expect(scopesOf(await askAs(first, 'hr', free, norte, finance.scope))).toEqual([...hr, '  MONTH 1998']);
    expect(scopesOf(await askAs(first, 'hr', free))).toEqual(hr.slice(0, 2));
    expect(scopesOf(await askAs(first, 'finance', free, {}, finance.scope))).toEqual(['  MONTH 1998', '  DAY 1998']);
    expect((await askAs(first, 'nobody', credit())).units).not.toHaveProperty('budgets');
    expect(scopesOf(await askAs(first, 'sales', free))).toEqual(['sales  MONTH 7', 'sales  DAY 7']);
  });

  it('counts the units of calls that run or may have been charged, and gives those of a free call back', async () => {
    const { first } = rig.padrons;
    await set('client: "kiosk", period: DAY, units: 3');
    expect(leftOf(await askAs(first, 'kiosk', credit(card('unprocessable', 'nss'))))).toEqual([2]);
    await waitUntil(async () => leftOf(await askAs(first, 'kiosk', free))?.[0] === 3, 2_000);
    for (const request of [credit(card('html', 'nss')), free])
      expect(leftOf(await askAs(first, 'kiosk', request))).toEqual([2]);
  });

  it('is what the ledger has, while two processes are under load, and is read once in five seconds', async () => {
    const { first, settings, query } = rig.padrons;
    const spawned = startProcess(settings());
    try {
      const places = [first, { url: await spawned.address() }];
      const units = 1_000;
      await set(`client: "busy", period: DAY, units: ${units}`);
      await set('client: "idle", period: DAY, units: 5');
      let begun = 0;
      let ended = 0;
      const began = Date.now();
      const seenByIdle = new Set<string | undefined>();
      const work = async (place: Place, worker: number): Promise<void> => {
        for (const nss of [...numbers.slice(worker), ...numbers.slice(0, worker)].slice(0, 12)) {
          const before = ended;
          begun += 1;
          const answer = await askAs(place, 'busy', credit(nss), { 'x-tag': `worker ${worker}` });
          const [left = -1] = leftOf(answer) ?? [];
          const spent = answer.units?.spent ?? 0;
          expect(answer.headers['x-units-left']).toBe(String(left));
          if (spent === 1) expect(left).toBeLessThan(units - before);
          expect(left).toBeGreaterThanOrEqual(units - begun);
          ended += spent;
          const idle = await askAs(places[1] as Place, 'idle', free);
          const [budget] = idle.units?.budgets ?? [];
          if (budget !== undefined) expect(Date.now() - Date.parse(budget.asOf)).toBeLessThan(6_000);
          seenByIdle.add(budget?.asOf);
        }
      };
      await Promise.all(places.flatMap((place) => [0, 1, 2, 3].map((worker) => work(place, worker))));
      expect(seenByIdle.size).toBeLessThanOrEqual(2 + (Date.now() - began) / 5_000);
      const sql = `SELECT sum(units)::int AS spent FROM ledger_entries WHERE client = 'busy'`;
      const spent = async () => (await query<{ readonly spent: number }>(sql))[0]?.spent;
      await waitUntil(async () => (await spent()) === ended);
      expect(ended).toBeGreaterThan(40);
      for (const place of places)
        await waitUntil(async () => leftOf(await askAs(place, 'busy', free))?.[0] === units - ended);
    } finally {
      await spawned.stop();
    }
  });
});

describe.each(bothEngines)('what budgets have left without JWTs, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const service = sandboxForEachTest();

  it('is in every response: a replay, a refusal, a dry run and an operation that is too expensive', async () => {
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY });
    await insertBudget(prepared, service.url, { units: 2 });
    const padron = await prepared.start({ now: () => TODAY, registryUrl: () => service.url });
    const ask = async (request: Request, headers = {}) => {
      const answer = await askPriced(padron, request, headers);
      return [answer.headers['x-units-left'], answer.units?.spent, answer.data?.person?.credit.outcome];
    };
    const signature = { query: verifyMutation, variables: { input: base64Input(credentialOf('person')) } };
    const key = { 'idempotency-key': 'a-key' };
    await waitUntil(async () => (await ask(free))[0] === '2');
    expect(await ask(credit(), { 'x-dry-run': 'true' })).toEqual(['2', 0, undefined]);
    expect(await ask(credit(), { 'x-max-units': '0' })).toEqual(['2', 0, undefined]);
    expect(await ask(signature, key)).toEqual(['1', 1, undefined]);
    expect(await ask(credit())).toEqual(['0', 1, 'FOUND']);
    expect(await ask(signature, key)).toEqual(['0', 0, undefined]);
    expect(await ask(credit(numbers[1]))).toEqual(['0', 0, 'NOT_RUN']);
    expect((await askPriced(padron, free)).units?.budgets).toMatchObject([
      { units: 2, resetsAt: '2026-11-21T06:00:00.000Z' },
    ]);
    await padron.stop();
  });
});
