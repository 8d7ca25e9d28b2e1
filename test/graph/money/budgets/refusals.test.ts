import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { type Claims, signedBySecret } from '../../../support/keys/identity-provider';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { waitUntil } from '../../../support/proxies/deferred';
import { indebted } from '../../../support/requests/credit-request';
import { engineRig, engines } from '../../../support/stores/engines';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const set = `mutation ($input: RegistryBudgetInput!) { setRegistryBudget(input: $input) { id wholeOperations lastSeenAt warning } }`;
const credit = 'query ($nss: NSS) { person(nss: $nss) { credit { outcome problems { code } } } }';
const [first = '', second = '', third = ''] = indebted;
const three = `{ ${[first, second, third].map((nss, index) => `p${index}: person(nss: "${nss}") { credit { outcome } }`).join(' ')} }`;
const scope = 'use_buscar_credito';

describe.each(engines)('what a budget refuses, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const padron = ledgerPadronForTests(rig, { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET, REPLAY_SECONDS: '0' });
  const askAs = (claims: Claims, query: string, variables = {}, headers = {}) =>
    padron.ask(query, variables, { authorization: `Bearer ${signedBySecret(SECRET, claims)}`, ...headers });
  const finance = { client_id: 'finance', scope: 'padron_budgets padron_ledger' };
  const budget = async (input: object, headers = {}) => {
    const { data, errors } = await askAs(finance, set, { input: { period: 'DAY', ...input } }, headers);
    expect(errors).toBeUndefined();
    return data.setRegistryBudget;
  };
  const refusedOf = async (client: string) => {
    const query = `query ($client: String) { registrySpend(filter: { client: $client }, by: [DAY, CLIENT]) { client calls refusedCalls } }`;
    const { data } = await askAs(finance, query, { client });
    return data.registrySpend[0];
  };

  it('is a warning at once if the client was never seen, with the one that was meant, in both languages', async () => {
    expect(await budget({ client: 'Loans', units: 9 })).toMatchObject({
      lastSeenAt: null,
      warning: 'No call has counted yet. Check the spelling.',
    });
    await askAs({ client_id: 'loans', scope }, credit, { nss: first });
    const day = new Intl.DateTimeFormat('sv', { timeZone: 'America/Mexico_City' }).format(new Date());
    expect((await budget({ client: 'Loans', units: 9 })).warning).toBe(
      `No call has counted yet. Did you mean loans, last seen on ${day}?`,
    );
    expect((await budget({ client: 'lonas', units: 9 }, { 'accept-language': 'es' })).warning).toBe(
      `Ninguna consulta ha contado aún. ¿Quiso decir loans, con consultas hasta el ${day}?`,
    );
    expect((await budget({ client: 'loans', units: 9 })).warning).toBeNull();
    expect((await budget({ client: 'loans', tag: 'spring', units: 9 })).warning).not.toContain('loans');
  });

  it('is counted by client and day, also what the limit of a request refuses', async () => {
    await budget({ client: 'hr', units: 0 });
    for (const nss of [first, second]) {
      const { data } = await askAs({ client_id: 'hr', scope }, credit, { nss });
      expect(data.person.credit.problems).toEqual([{ code: 'BUDGET_EXHAUSTED' }]);
    }
    await waitUntil(async () => (await refusedOf('hr'))?.refusedCalls === 2);
    expect(await refusedOf('hr')).toEqual({ client: 'hr', calls: 0, refusedCalls: 2 });
    await askAs({ client_id: 'hr', scope }, credit, { nss: first }, { 'x-max-units': '0' });
    await waitUntil(async () => (await refusedOf('hr'))?.refusedCalls === 3);
    const { data } = await askAs(finance, '{ registrySpend(by: [ENDPOINT]) { refusedCalls } }');
    expect(new Set(data.registrySpend.map(({ refusedCalls }: { refusedCalls: number }) => refusedCalls))).toEqual(
      new Set([null]),
    );
  });

  it('is an operation as a whole if it is set so, before any call, and otherwise the part that is left over', async () => {
    const web = { client_id: 'web', scope };
    const { id, wholeOperations } = await budget({ client: 'web', units: 2, wholeOperations: true });
    expect(wholeOperations).toBe(true);
    padron.calls();
    const refused = await askAs(web, three);
    expect(refused.errors).toMatchObject([
      {
        message: expect.stringMatching(
          /^No call was made: the budget of 2 units a day for the client web has 2 left, and this costs 3\./,
        ),
        extensions: { code: 'BUDGET_EXHAUSTED', left: 2, estimate: { estimatedUnits: 3 } },
      },
    ]);
    expect([refused.data, padron.calls()]).toEqual([null, []]);
    expect((await askAs(web, credit, { nss: first })).data.person.credit.outcome).toBe('FOUND');
    // Omitted, the setting stays.
    expect((await budget({ id, units: 3 })).wholeOperations).toBe(true);
    expect((await askAs(web, three)).errors?.[0].message).toContain('has 2 left');
    await budget({ id, units: 3, wholeOperations: false });
    const part = await askAs(web, three);
    const outcomes = [part.data.p0, part.data.p1, part.data.p2].map(({ credit: { outcome } }) => outcome);
    expect(outcomes.sort()).toEqual(['FOUND', 'FOUND', 'NOT_RUN']);
  });

  it('does not show what is left of a budget of a tag to a client that may not see what others spend', async () => {
    await budget({ tag: 'shared', units: 2, wholeOperations: true });
    for (const [scopes, left] of [
      [scope, undefined],
      [`${scope} padron_ledger`, 2],
    ] as const) {
      const { errors } = await askAs({ client_id: 'app', scope: scopes }, three, {}, { 'x-tag': 'shared' });
      expect(errors?.[0].extensions).toMatchObject({ code: 'BUDGET_EXHAUSTED' });
      expect(errors?.[0].extensions.left).toBe(left);
    }
  });
});
