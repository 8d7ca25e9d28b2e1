import { formatCentavos, spellAmount } from '../../../../src/extensions/sandbox/data/money';
import { debtor, LIST, monthWith, NOW, payer, receiptsIn } from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { card } from '../../../support/sandbox/cards';
import { unusedRegistration } from '../../../support/sandbox/identifiers';

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
      validationCode: null,
      endpoint: LIST,
      status: 200,
      message: null,
      checkedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      servedFrom: 'LIVE',
      units: 1,
      billing: 'CHARGED',
    });
    expect(padron.spent() - before).toBe(1);
    const [year, month] = period.split('-').map(Number);
    expect(padron.callsInFull()).toHaveLength(1);
    expect(padron.callsInFull()[0]).toMatchObject({
      endpoint: LIST,
      input: { registro_patronal: payer.registration, anio: year, mes: month },
    });
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

  it.each([
    ['an unknown employer', unusedRegistration],
    ['a registration whose card plays it', card('not-found', 'registration')],
  ])('gives NOT_FOUND for %s: a 404 is a paid answer', async (_, registration) => {
    const before = padron.spent();
    expect(await askMonth(registration)).toMatchObject({
      outcome: 'NOT_FOUND',
      // A month without receipts has no problem: its list is empty.
      problems: [{ code: 'EMPLOYER_UNKNOWN', path: ['registration'], retryable: false }],
      period: '2025-02',
      count: 0,
      warnings: [],
      records: [],
      evidence: { status: 404, message: 'No se encontraron datos.', units: 1, billing: 'CHARGED' },
    });
    expect(padron.spent() - before).toBe(1);
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

  it('keeps an answer about another employer, with a warning', async () => {
    const { outcome, problems, records } = await askMonth(card('somebody-else', 'registration'));
    expect({ outcome, problems }).toMatchObject({ outcome: 'FOUND', problems: [{ code: 'ANSWER_MISMATCH' }] });
    expect(records).not.toHaveLength(0);
  });

  it('reports all wrong inputs together', async () => {
    expect((await askMonth('Y6077636106', '2026-13')).problems).toMatchObject([
      { code: 'WRONG_CHECK_DIGIT', path: ['registration'] },
      { code: 'OUT_OF_RANGE', path: ['period'] },
    ]);
  });
});
