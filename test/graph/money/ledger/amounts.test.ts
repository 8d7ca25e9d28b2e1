import { parse } from 'csv-parse/sync';
import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { type Claims, signedBySecret } from '../../../support/keys/identity-provider';
import { CREDIT } from '../../../support/operations/people-endpoints';
import { preparePadron } from '../../../support/padrons/ledger';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient } from '../../../support/requests/batches';
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

const [first = '', second = '', third = ''] = people.filter(({ credit }) => Boolean(credit)).map(({ nss }) => nss);
const unknown = card('html', 'nss');
const creditOf = (nss: string): string => `person(nss: "${nss}") { credit { outcome evidence { ledgerId } } }`;
const sums = `query Sums($filter: RegistryLedgerFilter) {
  registrySpend(filter: $filter, by: []) { units amount uncertainUnits savedUnits savedAmount calls }
  registryLedger(filter: $filter) {
    csvUrl entries { units amount uncertainUnits savedUnits savedAmount evidence { servedFrom units validationCode } } } }`;

type Numbers = Readonly<Record<string, unknown>>;
const total = (rows: readonly Numbers[], field: string): number =>
  rows.reduce((sum, row) => sum + Number(row[field]), 0);

describe.each(engines)('what padron saved, in the ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const padron = ledgerPadronForTests(rig, { REPLAY_SECONDS: '60', UNIT_PRICE: '1.2' });
  beforeEach(() => void padron.calls());

  /** Returns the units of a selection, after checking that sums, entries and the CSV file agree about them. */
  const ledgerOf = async (filter: object) => {
    const { data, errors } = await padron.ask(sums, { filter });
    expect(errors).toBeUndefined();
    const [spend] = data.registrySpend;
    const { entries, csvUrl } = data.registryLedger;
    const file: Numbers[] = parse(await (await fetch(csvUrl)).text(), { columns: true, bom: true });
    for (const [field, column] of [
      ['units', 'units'],
      ['uncertainUnits', 'uncertain_units'],
      ['savedUnits', 'saved_units'],
      ['amount', 'amount'],
      ['savedAmount', 'saved_amount'],
    ] as const) {
      expect([field, total(entries, field).toFixed(2)]).toEqual([field, Number(spend[field]).toFixed(2)]);
      expect([column, total(file, column).toFixed(2)]).toEqual([column, Number(spend[field]).toFixed(2)]);
    }
    return { spend, entries };
  };

  it('is the same in requests and in the ledger: within a request, and between requests', async () => {
    const headers = { 'x-tag': 'requests' };
    const twice = `{ a: ${creditOf(first)} b: ${creditOf(first)} c: ${creditOf(first)} d: ${creditOf(second)} }`;
    const answers = [
      await askPriced(padron, { query: twice }, headers),
      await askPriced(padron, { query: twice }, headers),
      await askPriced(padron, { query: `{ a: ${creditOf(unknown)} b: ${creditOf(unknown)} }` }, headers),
    ];
    expect(padron.calls()).toHaveLength(3);
    expect(answers.map(({ units }) => [units?.spent, units?.uncertain, units?.saved])).toEqual([
      [2, 0, 2],
      [0, 0, 4],
      [0, 1, 0],
    ]);
    const { data } = answers[0] ?? { data: null };
    expect(data.b.credit.evidence).toEqual(data.a.credit.evidence);
    const { spend, entries } = await ledgerOf({ tag: 'requests' });
    expect(spend).toMatchObject({ calls: 3, units: 2, uncertainUnits: 1, savedUnits: 6, savedAmount: '7.20' });
    // Repeated questions of a request have one entry together, which proves nothing and so has no validation code.
    const repeated = entries.filter(({ savedUnits }: Numbers) => savedUnits === 2);
    expect(repeated).toHaveLength(2);
    for (const { evidence } of repeated)
      expect(evidence).toEqual({ servedFrom: 'REPLAY', units: 0, validationCode: null });
  });

  it('is the same in a batch and in the ledger, also after failed rows are retried', async () => {
    const client = new BatchClient(padron);
    await askPriced(padron, { query: `{ ${creditOf(second)} }` });
    const query = `query Pair($nss: NSS!, $other: NSS!) {
      a: person(nss: $nss) { credit { outcome } } again: person(nss: $nss) { credit { outcome } }
      b: person(nss: $other) { credit { outcome } } }`;
    const rows = [first, second, unknown].map((nss) => ({ nss: third, other: nss }));
    const { id, progress } = await client.runRows(query, rows, 20);
    // Each row repeats its first question, two rows share it, and requests have asked for `first` and `second`.
    expect(progress).toMatchObject({ done: 2, unknown: 1, spentUnits: 1, savedUnits: 7 });
    expect((await ledgerOf({ batch: id })).spend).toMatchObject({ units: 1, savedUnits: 7 });
    await client.change(`retryRegistryBatch(id: "${id}", rows: UNKNOWN, maxUnits: 20)`);
    const retried = await client.until(id, 'DONE', 'PAUSED');
    expect(retried.progress).toMatchObject({ done: 2, unknown: 1, spentUnits: 1, savedUnits: 9 });
    const { spend, entries } = await ledgerOf({ batch: id });
    expect(spend).toMatchObject({ units: 1, uncertainUnits: retried.progress.uncertainUnits, savedUnits: 9 });
    // Rows that end together have one entry for each reason.
    expect(entries.length).toBeLessThanOrEqual(10);
  });

  it('is nothing in sandbox mode, where each question is a call', async () => {
    const headers = { 'x-sandbox': 'true' };
    for (let turn = 0; turn < 2; turn += 1) await askPriced(padron, { query: `{ ${creditOf(first)} }` }, headers);
    expect(padron.calls()).toHaveLength(2);
    const query =
      '{ registrySpend { calls units savedUnits } registryLedger { entries { units evidence { servedFrom } } } }';
    const { data } = await padron.ask(query, {}, headers);
    expect(data.registrySpend).toEqual([{ calls: 2, units: 0, savedUnits: 0 }]);
    expect(data.registryLedger.entries).toEqual(Array(2).fill({ units: 0, evidence: { servedFrom: 'SANDBOX' } }));
  });

  it('follows the settlement, as do the units of an entry', async () => {
    await askPriced(padron, { query: `{ ${creditOf(card('html', 'nss'))} }` }, { 'x-tag': 'settled' });
    const { data } = await padron.ask('{ registryLedger(filter: { tag: "settled" }) { entries { id units } } }');
    expect(data.registryLedger.entries).toEqual([{ id: expect.any(String), units: 0 }]);
    const settle = 'mutation ($input: [RegistryBillingInput!]!) { settleRegistryBilling(input: $input) { id } }';
    await padron.ask(settle, { input: [{ id: data.registryLedger.entries[0].id, billing: 'CHARGED' }] });
    const { entries } = await ledgerOf({ tag: 'settled' });
    expect(entries).toMatchObject([
      { units: 1, amount: '1.20', uncertainUnits: 0, savedUnits: 0, evidence: { units: 0 } },
    ]);
  });

  it('leaves out an answer that arrives after the response that waited for it', async () => {
    const query = `{ ${creditOf(card('slow', 'nss'))} }`;
    const paying = askPriced(padron, { query }, { 'x-tag': 'late' });
    while (padron.calls().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const early = await askPriced(padron, { query }, { 'x-tag': 'late', 'x-answer-within': '50ms' });
    expect(early.data.person.credit.outcome).toBe('UNAVAILABLE');
    await paying;
    const followUp = await askPriced(padron, { query }, { 'x-tag': 'late' });
    expect([early, followUp].map(({ units }) => units?.saved)).toEqual([0, 0]);
    expect(followUp.units).not.toHaveProperty('settled');
    expect(padron.calls()).toEqual([]);
    expect((await ledgerOf({ tag: 'late' })).spend).toMatchObject({ calls: 1, units: 1, savedUnits: 0 });
  });
});
