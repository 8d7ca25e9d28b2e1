import { LIST, payer } from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { priceOf } from '../../../support/requests/money';

const query = `query ($registration: EmployerRegistration!, $from: YearMonth!, $to: YearMonth!) {
  employer(registration: $registration) {
    receipts(period: $to) { ${lookup} }
    receiptFiles(period: $to, folio: "123456") { ${lookup} }
    receiptsBetween(from: $from, to: $to) { period ${lookup} } } }`;

const rejected = {
  outcome: 'INVALID_INPUT',
  problems: [
    {
      code: 'OUT_OF_RANGE',
      path: ['period'],
      message: 'The month has not begun in Mexico City. Use the current month or an earlier one.',
    },
  ],
  evidence: { servedFrom: 'NOT_SENT', units: 0, billing: 'NOT_CHARGED' },
};

let clock = new Date('2026-12-01T05:59:00Z');
const padron = padronForTests({ now: () => clock });

const ask = async (from: string, to: string) => {
  const { data, errors } = await padron.ask(query, { registration: payer.registration, from, to });
  expect(errors).toBeUndefined();
  return data.employer;
};

describe('a month that has not begun', () => {
  it('costs nothing while it is still November in Mexico City, even if December has begun elsewhere', async () => {
    clock = new Date('2026-12-01T05:59:00Z');
    const { receipts, receiptFiles, receiptsBetween } = await ask('2026-11', '2026-12');
    expect([receipts, receiptFiles]).toMatchObject([rejected, rejected]);
    expect(receiptsBetween).toMatchObject([
      { period: '2026-11', outcome: expect.stringMatching(/FOUND/) },
      { period: '2026-12', ...rejected },
    ]);
    expect(padron.calls()).toEqual([LIST]);
  });

  it('is asked for when it begins there', async () => {
    clock = new Date('2026-12-01T06:00:00Z');
    const { receipts, receiptsBetween } = await ask('2026-12', '2026-12');
    expect(receipts.outcome).toMatch(/FOUND/);
    expect(receiptsBetween).toMatchObject([{ outcome: receipts.outcome }]);
    expect(padron.calls()).toContain(LIST);
  });

  it('has a price of 0, and the months before it have their price', async () => {
    clock = new Date('2026-11-20T18:00:00Z');
    const months = `query ($registration: EmployerRegistration!) {
      employer(registration: $registration) { receiptsBetween(from: "2026-10", to: "2027-02") { outcome } } }`;
    const estimate = await priceOf(padron, { query: months, variables: { registration: payer.registration } });
    expect(estimate.estimatedUnits).toBe(2);
    expect(padron.calls()).toEqual([]);
  });
});
