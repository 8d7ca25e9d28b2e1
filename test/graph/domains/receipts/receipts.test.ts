import { formatCentavos, spellAmount } from '../../../../src/extensions/sandbox/data/money';
import { partlyFailingEmployers } from '../../../../src/extensions/sandbox/test-cards/personas';
import { debtor, LIST, monthsOf, monthWith, NOW, payer, receiptsIn } from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { priceOf } from '../../../support/requests/money';
import { card } from '../../../support/sandbox/cards';

const fields = `${lookup} period count warnings records {
  employer { registration } period folio paidOn amount amountText amountInWords }`;
const monthQuery = `query ($registration: EmployerRegistration!, $period: YearMonth!) {
  employer(registration: $registration) { registration receipts(period: $period) { ${fields} } } }`;

const padron = padronForTests({ now: () => NOW });

const askMonth = async (registration: string, period = '2025-02') => {
  const { data, errors } = await padron.ask(monthQuery, { registration, period });
  expect(errors).toBeUndefined();
  return data.employer.receipts;
};

describe('Employer.receipts', () => {
  it.each([1, 2])('finds the receipts of a month that has %i, with the proof of the answer', async (count) => {
    const period = monthWith(count);
    const receipts = receiptsIn(payer, period);
    const before = padron.spent();
    const { evidence, ...answer } = await askMonth(payer.registration, period);
    expect(answer).toEqual({
      outcome: 'FOUND',
      problems: [],
      period,
      count,
      warnings: count === 1 ? [] : ['El periodo tiene más de un comprobante.'],
      records: receipts.map(({ folio, paidOn, centavos }) => ({
        employer: { registration: payer.registration },
        period,
        folio,
        paidOn,
        amount: String(centavos / 100),
        amountText: formatCentavos(centavos),
        amountInWords: spellAmount(centavos),
      })),
    });
    expect(evidence).toEqual({
      ...{ validationCode: null, endpoint: LIST, status: 200, message: null },
      ...{ servedFrom: 'LIVE', units: 1, billing: 'CHARGED' },
      checkedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(padron.spent() - before).toBe(1);
    const [year, month] = period.split('-').map(Number);
    const input = { registro_patronal: payer.registration, anio: year, mes: month };
    expect(padron.callsInFull()).toMatchObject([{ endpoint: LIST, input }]);
  });

  it.each([
    ['a month that is owed', debtor.registration, '2024-03'],
    ['a month before the first', payer.registration, '2019-12'],
    ['the first allowed year', payer.registration, '2000-01'],
    ['the month that runs', payer.registration, '2026-11'],
  ])('gives NOT_FOUND for %s: an empty list is a paid answer', async (_, registration, period) => {
    expect(await askMonth(registration, period)).toMatchObject({
      outcome: 'NOT_FOUND',
      problems: [],
      count: 0,
      records: [],
      evidence: { status: 200, servedFrom: 'LIVE', units: 1, billing: 'CHARGED' },
    });
    expect(padron.calls()).toEqual([LIST]);
  });

  it('counts the receipts itself if the service does not', async () => {
    const period = monthWith(2);
    const altered = await runPadronBehindProxy();
    altered.proxy.tamper(({ json }) => ({ json: { ...(json as object), meta: null } }));
    const { data } = await altered.ask(monthQuery, { registration: payer.registration, period });
    await altered.stop();
    expect(data.employer.receipts).toMatchObject({ outcome: 'FOUND', count: 2 });
  });

  it('reports the message of a rejection that names no parameter', async () => {
    const { problems, evidence } = await askMonth(card('unprocessable-receipts', 'registration'));
    expect(problems).toMatchObject([{ path: null, message: 'El campo registro_patronal no es válido.' }]);
    expect(evidence.message).toBe('El campo registro_patronal no es válido.');
  });

  it('reports all wrong inputs together', async () => {
    expect((await askMonth('Y6077636106', '2026-13')).problems).toMatchObject([
      { code: 'WRONG_CHECK_DIGIT', path: ['registration'] },
      { code: 'OUT_OF_RANGE', path: ['period'] },
    ]);
  });
});

const rangeQuery = `query ($registration: EmployerRegistration!, $from: YearMonth!, $to: YearMonth!) {
employer(registration: $registration) { receiptsBetween(from: $from, to: $to) {
  ${lookup} period count records { period folio amountText } } } }`;

interface MonthLookup {
  readonly outcome: string;
  readonly period: string;
  readonly records: readonly { readonly folio: string }[] | null;
  readonly evidence: { readonly units: number; readonly servedFrom: string; readonly billing: string };
}

const askRange = async (registration: string, from: string, to: string) => {
  const { data, errors } = await padron.ask(rangeQuery, { registration, from, to });
  expect(errors).toBeUndefined();
  return data.employer.receiptsBetween as readonly MonthLookup[];
};
const unitsOf = (lookups: readonly MonthLookup[]): number =>
  lookups.reduce((sum, { evidence }) => sum + evidence.units, 0);

describe('Employer.receiptsBetween', () => {
  it('accepts a range of one month, and one that crosses the end of a year', async () => {
    expect(await askRange(payer.registration, '2025-05', '2025-05')).toHaveLength(1);
    const across = await askRange(payer.registration, '2024-11', '2025-02');
    expect(across.map(({ period }) => period)).toEqual(['2024-11', '2024-12', '2025-01', '2025-02']);
  });

  it('keeps eleven months of a year if one fails', async () => {
    const before = padron.spent();
    const { registration } = partlyFailingEmployers.june;
    const lookups = await askRange(registration, '2025-01', '2025-12');
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
    expect(await askRange(payer.registration, from, to)).toMatchObject([
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
const later = padronForTests({ now: () => clock });

const ask = async (from: string, to: string) => {
  const { data, errors } = await later.ask(query, { registration: payer.registration, from, to });
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
    expect(later.calls()).toEqual([LIST]);
  });

  it('is asked for when it begins there', async () => {
    clock = new Date('2026-12-01T06:00:00Z');
    const { receipts, receiptsBetween } = await ask('2026-12', '2026-12');
    expect(receipts.outcome).toMatch(/FOUND/);
    expect(receiptsBetween).toMatchObject([{ outcome: receipts.outcome }]);
    expect(later.calls()).toContain(LIST);
  });

  it('has a price of 0, and the months before it have their price', async () => {
    clock = new Date('2026-11-20T18:00:00Z');
    const months = `query ($registration: EmployerRegistration!) {
    employer(registration: $registration) { receiptsBetween(from: "2026-10", to: "2027-02") { outcome } } }`;
    const estimate = await priceOf(later, { query: months, variables: { registration: payer.registration } });
    expect(estimate.estimatedUnits).toBe(2);
    expect(later.calls()).toEqual([]);
  });
});
