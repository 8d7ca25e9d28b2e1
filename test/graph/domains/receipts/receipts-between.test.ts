import type { SandboxCall } from '../../../../src/extensions/sandbox/service';
import { partlyFailingEmployers } from '../../../../src/extensions/sandbox/test-cards/personas';
import { LIST, monthsOf, NOW, payer, receiptsIn } from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import type { RunningPadron } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { priceOf } from '../../../support/requests/money';

describe('receipts of several months', () => {
  const rangeQuery = `query ($registration: EmployerRegistration!, $from: YearMonth!, $to: YearMonth!) {
  employer(registration: $registration) { receiptsBetween(from: $from, to: $to) {
    ${lookup} period count records { period folio amountText } } } }`;

  interface MonthLookup {
    readonly outcome: string;
    readonly period: string;
    readonly records: readonly { readonly folio: string }[] | null;
    readonly evidence: { readonly units: number; readonly servedFrom: string; readonly billing: string };
  }

  const askRange = async (padron: RunningPadron, registration: string, from: string, to: string) => {
    const { data, errors } = await padron.ask(rangeQuery, { registration, from, to });
    expect(errors).toBeUndefined();
    return data.employer.receiptsBetween as readonly MonthLookup[];
  };
  const unitsOf = (lookups: readonly MonthLookup[]): number =>
    lookups.reduce((sum, { evidence }) => sum + evidence.units, 0);
  const askedMonths = (calls: readonly SandboxCall[]): readonly string[] =>
    calls.map(({ input }) => `${input.anio}-${String(input.mes).padStart(2, '0')}`).sort();

  const padron = padronForTests({ now: () => NOW });

  describe('Employer.receiptsBetween', () => {
    it('gives a year as twelve lookups in order, each with one call and its own proof', async () => {
      const before = padron.spent();
      const lookups = await askRange(padron, payer.registration, '2025-01', '2025-12');
      expect(lookups.map(({ period }) => period)).toEqual(monthsOf(2025));
      for (const { period, outcome, records, evidence } of lookups) {
        expect({ period, outcome }).toEqual({ period, outcome: 'FOUND' });
        expect(records?.map(({ folio }) => folio)).toEqual(receiptsIn(payer, period).map(({ folio }) => folio));
        expect(evidence).toMatchObject({ servedFrom: 'LIVE', units: 1, billing: 'CHARGED' });
      }
      expect(padron.spent() - before).toBe(12);
      expect(askedMonths(padron.callsInFull())).toEqual(monthsOf(2025));
      expect(padron.calls()).toEqual(Array(12).fill(LIST));
    });

    it('accepts a range of one month, and one that crosses the end of a year', async () => {
      expect(await askRange(padron, payer.registration, '2025-05', '2025-05')).toHaveLength(1);
      const across = await askRange(padron, payer.registration, '2024-11', '2025-02');
      expect(across.map(({ period }) => period)).toEqual(['2024-11', '2024-12', '2025-01', '2025-02']);
    });

    it('keeps eleven months of a year if one fails', async () => {
      const before = padron.spent();
      const { registration } = partlyFailingEmployers.june;
      const lookups = await askRange(padron, registration, '2025-01', '2025-12');
      expect(lookups.map(({ outcome }) => outcome)).toEqual(
        monthsOf(2025).map((month) => (month === '2025-06' ? 'UNAVAILABLE' : 'FOUND')),
      );
      expect(lookups[5]).toMatchObject({
        period: '2025-06',
        problems: [{ code: 'IMSS_TRANSPORT_ERROR', retryable: true }],
        count: null,
        records: null,
        evidence: { status: 502, units: 0, billing: 'UNKNOWN' },
      });
      expect(padron.spent() - before).toBe(11);
      expect(unitsOf(lookups)).toBe(11);
      expect(padron.calls()).toEqual(Array(12).fill(LIST));
    });

    it.each([
      ['the last month before the first', '2025-02', '2025-01', 'OUT_OF_RANGE', ['from']],
      ['37 months', '2022-01', '2025-01', 'OUT_OF_RANGE', ['to']],
      ['the year 2101', '2100-12', '2101-01', 'OUT_OF_RANGE', ['to']],
      ['no month at all', 'January', '2025-01', 'INVALID_FORMAT', ['from']],
    ])('rejects a range with %s as one lookup, without a call', async (_, from, to, code, path) => {
      expect(await askRange(padron, payer.registration, from, to)).toMatchObject([
        {
          outcome: 'INVALID_INPUT',
          period: from,
          problems: [{ code, path }],
          count: null,
          records: null,
          evidence: { endpoint: LIST, servedFrom: 'NOT_SENT', units: 0, billing: 'NOT_CHARGED' },
        },
      ]);
      expect(padron.calls()).toEqual([]);
    });

    it.each([
      [
        'receipts',
        'receipts(period: "2025-03") { ...month } receiptsBetween(from: "2025-02", to: "2025-04") { ...month }',
      ],
      [
        'receiptsBetween',
        'receiptsBetween(from: "2025-02", to: "2025-04") { ...month } receipts(period: "2025-03") { ...month }',
      ],
    ])('makes one call for a month that both fields select; the first, %s, reports its cost', async (first, fields) => {
      const before = padron.spent();
      const { data } = await padron.ask(
        `query ($registration: EmployerRegistration!) { employer(registration: $registration) { ${fields} } }
      fragment month on ReceiptsLookup { ${lookup} period records { folio } }`,
        { registration: payer.registration },
      );
      const { receipts, receiptsBetween } = data.employer;
      expect(receipts.records).toEqual(receiptsBetween[1].records);
      const [reporting, replayed] =
        first === 'receipts' ? [receipts, receiptsBetween[1]] : [receiptsBetween[1], receipts];
      expect(reporting.evidence).toMatchObject({ servedFrom: 'LIVE', units: 1, billing: 'CHARGED' });
      expect(replayed.evidence).toEqual({
        ...reporting.evidence,
        servedFrom: 'REPLAY',
        units: 0,
        billing: 'NOT_CHARGED',
      });
      expect(unitsOf([receipts, ...receiptsBetween])).toBe(3);
      expect(padron.spent() - before).toBe(3);
      expect(padron.calls()).toEqual([LIST, LIST, LIST]);
    });
  });
});

describe('months in the future', () => {
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
});
