import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { type Claims, signedBySecret } from '../../../support/keys/identity-provider';
import { CREDIT } from '../../../support/operations/people-endpoints';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { card } from '../../../support/sandbox/cards';
import { engineRig, engines } from '../../../support/stores/engines';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const { nss } = findOrThrow(people, ({ credit }) => credit !== null && credit !== '');
const budgetFields = 'id client tag period units alertsAt spentUnits uncertainUnits leftUnits lastSeenAt resetsAt';
const set = `mutation ($input: RegistryBudgetInput!) { setRegistryBudget(input: $input) { ${budgetFields} } }`;
const remove = 'mutation ($id: ID!) { removeRegistryBudget(id: $id) }';
const list = `{ registryBudgets { ${budgetFields} } }`;

describe.each(engines)('budgets over time on the %s engine', (engine) => {
  const rig = engineRig(engine);
  let now = new Date('2026-02-10T12:00:00Z');
  // All tests share one padron, because opening a store is slow. Each test ends without a budget.
  const environment = { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET };
  const padron = ledgerPadronForTests(rig, environment, { now: () => now });
  afterEach(async () => {
    for (const { id } of (await askAs(finance, list)).data.registryBudgets) await askAs(finance, remove, { id });
  });

  const askAs = (claims: Claims, query: string, variables = {}, headers = {}) =>
    padron.ask(query, variables, { authorization: `Bearer ${signedBySecret(SECRET, claims)}`, ...headers });
  const finance = { client_id: 'finance', scope: 'padron_budgets padron_ledger padron_ledger_settle' };
  const buy = async (of = nss, client_id = 'hr') => {
    const query = `{ person(nss: "${of}") { credit { outcome problems { code message retryAfter } evidence { ledgerId } } } }`;
    return (await askAs({ client_id, scope: 'use_buscar_credito' }, query)).data.person.credit;
  };

  it('limit calls before they are sent, and report the units left and the time of the reset', async () => {
    await buy();
    const input = { client: 'hr', period: 'DAY', units: 2 };
    const { data, errors } = await askAs(finance, set, { input });
    expect(errors).toBeUndefined();
    const budget = {
      ...{ id: expect.any(String), client: 'hr', tag: null, period: 'DAY', units: 2, alertsAt: [50, 80, 100] },
      ...{ spentUnits: 1, uncertainUnits: 0, leftUnits: 1 },
      ...{ lastSeenAt: now.toISOString(), resetsAt: '2026-02-11T06:00:00.000Z' },
    };
    expect(data.setRegistryBudget).toEqual(budget);
    expect((await buy()).outcome).toBe('FOUND');
    padron.calls();
    expect(await buy()).toMatchObject({
      outcome: 'NOT_RUN',
      problems: [{ code: 'BUDGET_EXHAUSTED', message: expect.stringContaining('has 0 left'), retryAfter: 64_800 }],
      evidence: { ledgerId: null },
    });
    expect(padron.calls()).toEqual([]);
    expect((await buy(nss, 'sales')).outcome).toBe('FOUND');
    const { id } = data.setRegistryBudget;
    expect((await askAs(finance, list)).data.registryBudgets).toEqual([{ ...budget, spentUnits: 2, leftUnits: 0 }]);
    const changed = await askAs(finance, set, { input: { ...input, id, units: 3, alertsAt: [90, 10, 90] } });
    const left = { units: 3, alertsAt: [10, 90], spentUnits: 2, leftUnits: 1 };
    expect(changed.data.setRegistryBudget).toEqual({ ...budget, id, ...left });
    expect((await buy()).outcome).toBe('FOUND');
    const removed = async () => (await askAs(finance, remove, { id })).data.removeRegistryBudget;
    expect([await removed(), await removed(), (await buy()).outcome]).toEqual([true, false, 'FOUND']);
  });

  it('report when their client or tag last made a call, or that it made none', async () => {
    now = new Date('2026-02-20T12:00:00Z');
    const seenAt = async (input: object) =>
      (await askAs(finance, set, { input: { period: 'DAY', units: 50, ...input } })).data.setRegistryBudget.lastSeenAt;
    expect([await seenAt({ client: 'payrol' }), await seenAt({ tag: 'never used' })]).toEqual([null, null]);
    await buy(nss, 'payroll');
    const called = now.toISOString();
    now = new Date('2026-02-20T13:00:00Z');
    const seen = [await seenAt({ client: 'payrol' }), await seenAt({ client: 'payroll' }), await seenAt({})];
    expect(seen).toEqual([null, called, called]);
    expect(await seenAt({ client: 'payroll', tag: 'never used' })).toBeNull();
    const { registryBudgets } = (await askAs(finance, list)).data;
    expect(registryBudgets).toContainEqual(expect.objectContaining({ client: 'payroll', lastSeenAt: called }));
  });

  it('keep their client, tag and period, and reject a change of them', async () => {
    const setTo = (input: object) => askAs(finance, set, { input });
    const scope = { client: 'hr', tag: 'hiring', period: 'MONTH' };
    const { id } = (await setTo({ ...scope, units: 5 })).data.setRegistryBudget;
    for (const input of [{ period: 'MONTH' }, scope, { client: 'hr', period: 'MONTH' }])
      expect((await setTo({ id, ...input, units: 7 })).data).toMatchObject({
        setRegistryBudget: { id, ...scope, units: 7 },
      });
    const message = expect.stringContaining('Remove the budget and set another');
    for (const change of [{ client: 'sales' }, { client: null }, { tag: null }, { period: 'DAY' }])
      expect((await setTo({ id, ...scope, ...change, units: 9 })).errors).toMatchObject([
        { message, extensions: { code: 'BAD_USER_INPUT' } },
      ]);
    expect((await askAs(finance, list)).data.registryBudgets).toMatchObject([{ id, ...scope, units: 7 }]);
  });

  it('reserve the price of calls that may have been charged, until they are settled', async () => {
    now = new Date('2026-03-10T12:00:00Z');
    await askAs(finance, set, { input: { period: 'MONTH', units: 1 } });
    const { evidence } = await buy(card('html', 'nss'));
    const [budget] = (await askAs(finance, list)).data.registryBudgets;
    expect(budget).toMatchObject({ spentUnits: 0, uncertainUnits: 1, leftUnits: 0 });
    expect(budget.resetsAt).toBe('2026-04-01T06:00:00.000Z');
    padron.calls();
    expect([(await buy()).outcome, padron.calls()]).toEqual(['NOT_RUN', []]);
    const settle = `mutation { settleRegistryBilling(input: [{ id: "${evidence.ledgerId}", billing: NOT_CHARGED }]) { id } }`;
    expect((await askAs(finance, settle)).errors).toBeUndefined();
    expect((await askAs(finance, list)).data.registryBudgets).toMatchObject([{ uncertainUnits: 0, leftUnits: 1 }]);
    expect([(await buy()).outcome, padron.calls()]).toEqual(['FOUND', [CREDIT]]);
  });

  it('are visible to their client, and not to another account', async () => {
    for (const client of ['hr', 'sales', null])
      await askAs(finance, set, { input: { client, period: 'DAY', units: 9 } });
    const ids = (await askAs(finance, list)).data.registryBudgets.map(({ id }: { id: string }) => id);
    const query = `query ($r: [_Any!]!) { registryBudgets { client } _entities(representations: $r) { ... on RegistryBudget { client } } }`;
    const r = ids.map((id: string) => ({ __typename: 'RegistryBudget', id }));
    const visibleTo = async (claims: Claims, headers = {}): Promise<unknown> => {
      const { data } = await askAs(claims, query, { r }, headers);
      return [data.registryBudgets, data._entities].map((budgets) =>
        budgets.map((budget: { client: string | null } | null) => budget && (budget.client ?? 'all')).sort(),
      );
    };
    const all = ['all', 'hr', 'sales'];
    expect(ids).toHaveLength(3);
    expect(await visibleTo(finance)).toEqual([all, all]);
    expect(await visibleTo({ client_id: 'hr' })).toEqual([['hr'], ['hr', null, null]]);
    // The sandbox mode of the service has a separate account.
    const sandbox = { 'x-sandbox': 'true' };
    expect(await visibleTo(finance, sandbox)).toEqual([[], [null, null, null]]);
    const foreign = await askAs(finance, set, { input: { id: ids[0], period: 'DAY', units: 1 } }, sandbox);
    expect(foreign.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    const removed = await askAs(finance, remove, { id: ids[0] }, sandbox);
    expect(removed.data).toEqual({ removeRegistryBudget: false });
    expect((await askAs(finance, list)).data.registryBudgets).toHaveLength(3);
  });

  it.each([
    ['negative units', { units: -1 }],
    ['more than a billion units', { units: 2_000_000_000 }],
    ['an alert at 0 %', { alertsAt: [0] }],
    ['an alert at 101 %', { alertsAt: [101] }],
    ['too many alerts', { alertsAt: Array.from({ length: 11 }, (_, index) => index + 1) }],
    ['an empty client', { client: '' }],
    ['an identifier as a tag', { tag: nss }],
    ['an unknown ID', { id: 'nothing' }],
    ['an identifier as a client', { client: 'GARM960415' }],
    ['a client with spaces at its ends', { client: ' payroll ' }],
    ['a client with an invisible character', { client: 'pay\u200broll' }],
    ['an e-mail address as a client', { client: 'maria@example.com' }],
    ['a tag with spaces at its ends', { tag: ' payroll ' }],
    ['a tag with letters that a header cannot have', { tag: '給与' }],
    ['a tag with more than three digits', { tag: 'Q1-2026' }],
    ['a tag that is too long', { tag: 'x'.repeat(65) }],
  ])('reject %s', async (_what, input) => {
    const { data, errors } = await askAs(finance, set, { input: { period: 'DAY', units: 1, ...input } });
    expect(data).toEqual({ setRegistryBudget: null });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(errors?.[0].message).not.toContain(nss);
    expect((await askAs(finance, list)).data.registryBudgets).toEqual([]);
  });

  it('report the rule that a rejected name breaks', async () => {
    const messageFor = async (input: object): Promise<string> =>
      (await askAs(finance, set, { input: { period: 'DAY', units: 1, ...input } })).errors?.[0].message;
    expect(await messageFor({ client: ' hr' })).toMatch(/^`input.client` must be .*64 .*space.*identifier/);
    expect(await messageFor({ tag: '2026' })).toMatch(/^`input.tag` must be .*64 .*three digits.*blank.*identifier/);
  });

  it.each([
    ['one character each', Buffer.from('Compañía').toString('latin1')],
    ['combining accents', Buffer.from('Compañía'.normalize('NFD')).toString('latin1')],
  ])('limit the calls of a tag with accents that a header encodes as %s', async (_how, header) => {
    await askAs(finance, set, { input: { tag: 'Compañía'.normalize('NFD'), period: 'DAY', units: 0 } });
    const query = `{ person(nss: "${nss}") { credit { outcome problems { code } } } }`;
    const hr = { client_id: 'hr', scope: 'use_buscar_credito' };
    padron.calls();
    const { data } = await askAs(hr, query, {}, { 'x-tag': header });
    expect(data.person.credit).toEqual({ outcome: 'NOT_RUN', problems: [{ code: 'BUDGET_EXHAUSTED' }] });
    expect(padron.calls()).toEqual([]);
    expect((await askAs(hr, query, {}, { 'x-tag': 'Compania' })).data.person.credit.outcome).toBe('FOUND');
  });

  it.each([
    ['accented letters', 'Compañía'],
    ['combining accents', 'Compañía'.normalize('NFD')],
    ['spaces around it', ' Compañía '],
  ])('limit a client whose name in the JWT has %s', async (_how, client) => {
    await askAs(finance, set, { input: { client: 'Compañía', period: 'DAY', units: 0 } });
    padron.calls();
    expect((await buy(nss, client)).problems).toMatchObject([{ code: 'BUDGET_EXHAUSTED' }]);
    expect(padron.calls()).toEqual([]);
  });

  it('are unique for each client, tag and period', async () => {
    const input = { client: 'svc-2024-01', tag: 'spring', period: 'DAY', units: 1 };
    const setOne = async (change: object) => askAs(finance, set, { input: { ...input, ...change } });
    const first = (await setOne({})).data.setRegistryBudget;
    expect((await setOne({ units: 2 })).data.setRegistryBudget).toEqual({ ...first, units: 2, leftUnits: 2 });
    const { id } = (await setOne({ period: 'MONTH' })).data.setRegistryBudget;
    const { data, errors } = await setOne({ id });
    expect([data, errors?.[0].extensions.code]).toEqual([{ setRegistryBudget: null }, 'BAD_USER_INPUT']);
    expect((await askAs(finance, list)).data.registryBudgets).toHaveLength(2);
  });
});

describe('the tag of a budget with TAG_PATTERN', () => {
  const padron = ledgerPadronForTests(engineRig(), {
    REGISTRY_TOKEN: OTHER_TOKEN,
    JWT_SECRET: SECRET,
    TAG_PATTERN: 'CC-\\d{5}',
  });

  it('is one that the pattern allows', async () => {
    const authorization = `Bearer ${signedBySecret(SECRET, { client_id: 'finance', scope: 'padron_budgets' })}`;
    const setTo = (tag: string) => padron.ask(set, { input: { tag, period: 'DAY', units: 1 } }, { authorization });
    expect((await setTo('CC-10245')).data.setRegistryBudget).toMatchObject({ tag: 'CC-10245', lastSeenAt: null });
    const { errors } = await setTo('Q1');
    expect(errors?.[0].message).toContain('matching TAG_PATTERN (`CC-\\d{5}`)');
  });
});
