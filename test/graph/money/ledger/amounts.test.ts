import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { type Claims, signedBySecret } from '../../../support/keys/identity-provider';
import { CREDIT } from '../../../support/operations/people-endpoints';
import { preparePadron } from '../../../support/padrons/ledger';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { askPriced } from '../../../support/requests/money';
import { card } from '../../../support/sandbox/cards';
import { engineRig, engines } from '../../../support/stores/engines';

const { nss } = findOrThrow(people, ({ credit }) => Boolean(credit));
const secret = 'a-secret-shared-with-the-identity-provider';
const bearer = (claims: Claims) => ({ authorization: `Bearer ${signedBySecret(secret, claims)}` });
const finance = bearer({ client_id: 'finance', scope: 'padron_ledger padron_ledger_settle padron_budgets' });
const payroll = bearer({ client_id: 'payroll', scope: 'use_buscar_credito' });
const credit = (of: string): string => `{ person(nss: "${of}") { credit { outcome } } }`;

const money = `{
  registryUnitPrice
  registrySpend(by: [CLIENT]) { client units amount uncertainUnits uncertainAmount savedAmount }
  registryBudgets { units amount spentAmount uncertainAmount leftAmount }
  registryLedger(filter: { unsettled: true }) { entries { id amount uncertainAmount } limitedToClient }
}`;
const budget = 'mutation { setRegistryBudget(input: { client: "payroll", period: MONTH, units: 100 }) { id amount } }';

describe.each(engines)('amounts in pesos on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const jwt = { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: secret };
  const padron = ledgerPadronForTests(rig, { ...jwt, UNIT_PRICE: '1.2' });
  const withoutPrice = ledgerPadronForTests(rig, jwt);
  beforeAll(async () => {
    for (const running of [padron, withoutPrice]) {
      await running.ask(budget, {}, finance);
      for (const asked of [nss, nss, nss, card('html', 'nss')]) await running.ask(credit(asked), {}, payroll);
      expect(running.calls()).toEqual([CREDIT, CREDIT, CREDIT, CREDIT]);
    }
  });
  afterEach(() => expect([...padron.calls(), ...withoutPrice.calls()]).toEqual([]));

  it('are exact, beside the units of sums, budgets and unsettled calls', async () => {
    const { data, errors } = await padron.ask(money, {}, finance);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      registryUnitPrice: '1.20',
      registrySpend: [
        {
          ...{ client: 'payroll', units: 3, amount: '3.60' },
          uncertainUnits: 1,
          uncertainAmount: '1.20',
          savedAmount: '0.00',
        },
      ],
      registryBudgets: [
        { units: 100, amount: '120.00', spentAmount: '3.60', uncertainAmount: '1.20', leftAmount: '115.20' },
      ],
      registryLedger: {
        entries: [{ id: expect.any(String), amount: '0.00', uncertainAmount: '1.20' }],
        limitedToClient: null,
      },
    });
  });

  it('are in the estimate of an operation', async () => {
    const estimate = 'query ($operation: String!) { unitEstimate(input: { operation: $operation }) { amount } }';
    const { data } = await padron.ask(estimate, { operation: credit(nss) }, payroll);
    expect(data.unitEstimate).toEqual({ amount: '1.20' });
  });

  it('are hidden from callers without a token, as is the price', async () => {
    const query = `query ($operation: String!) { registryUnitPrice unitEstimate(input: { operation: $operation }) { amount } }`;
    const { data } = await padron.ask(query, { operation: credit(nss) }, { authorization: '' });
    expect(data).toEqual({ registryUnitPrice: null, unitEstimate: { amount: null } });
  });

  it('are hidden from a token that the service does not know, as is the price', async () => {
    const query = `query ($operation: String!) { registryUnitPrice unitEstimate(input: { operation: $operation }) { estimatedUnits amount } }`;
    const forwarding = await preparePadron(rig, { UNIT_PRICE: '1.2' }).then((prepared) => prepared.start());
    const askWith = async (token: string) => {
      const authorization = `Bearer ${token}`;
      const { data, errors } = await forwarding.ask(query, { operation: credit(nss) }, { authorization });
      expect(errors).toBeUndefined();
      return [data.registryUnitPrice, data.unitEstimate.estimatedUnits, data.unitEstimate.amount];
    };
    expect(await askWith('invented-token')).toEqual([null, 1, null]);
    expect(await askWith(SANDBOX_TOKEN)).toEqual(['1.20', 1, '1.20']);
    const dryRun = async (token: string) =>
      (await askPriced(forwarding, { query: credit(nss) }, { 'x-dry-run': 'true', authorization: `Bearer ${token}` }))
        .estimate?.amount;
    expect([await dryRun('invented-token'), await dryRun(SANDBOX_TOKEN)]).toEqual([null, '1.20']);
    const stranger = { 'x-max-units': '0', authorization: 'Bearer invented-token' };
    const tooExpensive = await askPriced(forwarding, { query: credit(nss) }, stranger);
    expect(tooExpensive.errors).toMatchObject([
      { extensions: { code: 'UNIT_BUDGET_EXCEEDED', estimate: { estimatedUnits: 1, amount: null } } },
    ]);
    expect(forwarding.spent()).toBe(0);
  });

  it('are those of the settlement after a call is settled', async () => {
    const { data } = await padron.ask(money, {}, finance);
    const input = [{ id: data.registryLedger.entries[0].id, billing: 'CHARGED' }];
    const settle = 'mutation ($input: [RegistryBillingInput!]!) { settleRegistryBilling(input: $input) { amount } }';
    const settled = await padron.ask(settle, { input }, finance);
    expect(settled.data.settleRegistryBilling).toEqual([{ amount: '1.20' }]);
    const after = await padron.ask(money, {}, finance);
    expect(after.data.registrySpend[0]).toMatchObject({ amount: '4.80', uncertainAmount: '0.00' });
  });

  it('are null without UNIT_PRICE', async () => {
    const { data, errors } = await withoutPrice.ask(money, {}, finance);
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      registryUnitPrice: null,
      registrySpend: [{ units: 3, amount: null, uncertainAmount: null, savedAmount: null }],
      registryBudgets: [{ units: 100, amount: null, spentAmount: null, uncertainAmount: null, leftAmount: null }],
      registryLedger: { entries: [{ amount: null, uncertainAmount: null }] },
    });
  });

  it('come with the client to which a JWT without the scope of the ledger is limited', async () => {
    const { data } = await padron.ask(money, {}, payroll);
    expect(data.registryLedger.limitedToClient).toBe('payroll');
    expect(data.registrySpend).toHaveLength(1);
  });
});
