import { UNPERMITTED_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import {
  DOWNLOAD,
  LIST,
  monthsOf,
  monthWith,
  NOW,
  OPINION,
  ofEmployer,
  payer,
  receiptsIn,
  rejectedWithoutCall,
  SNAPSHOTS,
  SUBJECT,
  wrongRegistrations,
} from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { card } from '../../../support/sandbox/cards';

const { registration } = payer;

const period = monthWith(1);

/** One field of an employer, as loose as the test needs it. */
interface Answered {
  readonly outcome: string;
  readonly problems: readonly { readonly code: string }[];
  readonly evidence: { readonly units: number; readonly billing: string; readonly endpoint: string };
}

const unitsOf = (lookups: readonly Answered[]): number =>
  lookups.reduce((sum, { evidence }) => sum + evidence.units, 0);

const padron = padronForTests({ now: () => NOW });

describe('an employer in one request', () => {
  it('gives a year of receipts with files, snapshots, subject and opinion: each call is made once, and each unit reported once', async () => {
    const before = padron.spent();
    const { data, errors, headers } = await padron.ask(
      ofEmployer(`registration
      receiptsBetween(from: "2025-01", to: "2025-12") { ${lookup} period records { folio files { ${lookup} pdf { url } xml { url } } } }
      snapshots { ${lookup} records { rfc } }
      obligatedSubject { ${lookup} record { id } }
      complianceOpinion { ${lookup} document { sizeBytes } validUntil }`),
      { registration },
    );
    expect(errors).toBeUndefined();
    const { receiptsBetween, snapshots, obligatedSubject, complianceOpinion, ...rest } = data.employer;
    expect(rest).toEqual({ registration });
    const receipts = monthsOf(2025).flatMap((month) => receiptsIn(payer, month));
    const records: readonly { folio: string; files: Answered }[] = receiptsBetween.flatMap(
      (month: { readonly records: readonly unknown[] }) => month.records,
    );
    expect(records.map((record) => record.folio)).toEqual(receipts.map((receipt) => receipt.folio));
    const files = records.map((record) => record.files);
    const lookups: readonly Answered[] = [...receiptsBetween, ...files, snapshots, obligatedSubject, complianceOpinion];
    expect(new Set(lookups.map(({ outcome }) => outcome))).toEqual(new Set(['FOUND']));
    const expected = [...Array(12).fill(LIST), ...receipts.map(() => DOWNLOAD), ...[SNAPSHOTS, SUBJECT, OPINION]];
    expect(unitsOf(lookups)).toBe(expected.length);
    expect(padron.spent() - before).toBe(expected.length);
    expect(headers['x-units-spent']).toBe(String(expected.length));
    expect([...padron.calls()].sort()).toEqual(expected.sort());
  });

  it('makes no call for the registration alone, right or wrong', async () => {
    const { data } = await padron.ask(ofEmployer('registration'), { registration: ' y60-77636 10-6' });
    expect(data).toEqual({ employer: { registration: 'Y6077636106' } });
    expect(padron.calls()).toEqual([]);
  });

  it('can be reached from its receipt', async () => {
    const { data } = await padron.ask(
      ofEmployer(`receipts(period: "${period}") { records { employer { obligatedSubject { record { id } } } } }`),
      { registration },
    );
    expect(data.employer.receipts.records).toEqual([
      { employer: { obligatedSubject: { record: { id: payer.obligatedSubjectId } } } },
    ]);
    expect(padron.calls()).toEqual([LIST, SUBJECT]);
  });
});

const [folio] = receiptsIn(payer, period).map((receipt) => receipt.folio);

const everything = ofEmployer(`
receipts(period: "${period}") { ${lookup} records { folio } }
receiptFiles(period: "${period}", folio: "${folio}") { ${lookup} pdf { content } }
snapshots { ${lookup} records { id } }
obligatedSubject { ${lookup} record { id } }
complianceOpinion { ${lookup} document { content } }`);

const fieldsOf = (employer: Readonly<Record<string, Answered>>): readonly Answered[] => Object.values(employer);

describe('every field of an employer', () => {
  it('makes no call in sandbox mode, which the service documents for other endpoints only', async () => {
    const before = padron.spent();
    const { data, errors } = await padron.ask(everything, { registration }, { 'x-sandbox': 'true' });
    expect(errors).toBeUndefined();
    for (const { outcome, problems, evidence } of fieldsOf(data.employer)) {
      expect(outcome).toBe('NOT_RUN');
      expect(problems).toContainEqual(expect.objectContaining({ code: 'SANDBOX_UNSUPPORTED', retryable: false }));
      expect(evidence).toMatchObject({ servedFrom: 'NOT_SENT', units: 0, billing: 'NOT_CHARGED' });
    }
    expect(fieldsOf(data.employer).map(({ evidence }) => evidence.endpoint)).toEqual([
      LIST,
      DOWNLOAD,
      SNAPSHOTS,
      SUBJECT,
      OPINION,
    ]);
    expect(padron.spent()).toBe(before);
    expect(padron.calls()).toEqual([]);
  });

  it('needs no permission of the account, because the interface names none', async () => {
    const { data } = await padron.ask(everything, { registration }, { authorization: `Bearer ${UNPERMITTED_TOKEN}` });
    expect(fieldsOf(data.employer).map(({ outcome }) => outcome)).toEqual(Array(5).fill('FOUND'));
  });
});

const mismatch = { outcome: 'FOUND', problems: [{ code: 'ANSWER_MISMATCH' }] };

/**
 * Fields that call one endpoint by the registration, their value without an answer, the parameter that the service rejects, what is
 * different if the service answers 404, and the value if it answers about another employer.
 */
const fields = [
  {
    selection: `receipts(period: "2025-02") { ${lookup} period count warnings records { folio } }`,
    endpoint: LIST,
    nothing: { period: '2025-02', count: null, warnings: [], records: null },
    parameter: 'registro_patronal',
    unknown: {
      count: 0,
      records: [],
      problems: [{ code: 'EMPLOYER_UNKNOWN', path: ['registration'], retryable: false }],
    },
    others: { ...mismatch, records: expect.arrayContaining([{ folio: expect.any(String) }]) },
  },
  {
    selection: `receiptFiles(period: "2025-02", folio: "123456") { ${lookup} warnings cacheStore pdf { url } xml { url } }`,
    endpoint: DOWNLOAD,
    nothing: { warnings: [], cacheStore: null, pdf: null, xml: null },
    parameter: 'registro_patronal',
    unknown: {},
    others: { ...mismatch, pdf: { url: expect.any(String) } },
  },
  {
    selection: `snapshots { ${lookup} setAside records { id } }`,
    endpoint: SNAPSHOTS,
    nothing: { setAside: null, records: null },
    parameter: 'registro_patronal',
    unknown: { setAside: 0, records: [] },
    others: { outcome: 'NOT_FOUND', problems: [{ code: 'NO_RECORD_MATCHES' }], records: [] },
  },
  {
    selection: `obligatedSubject { ${lookup} warnings record { id } }`,
    endpoint: SUBJECT,
    nothing: { warnings: [], record: null },
    parameter: 'rp',
    unknown: {},
    others: { ...mismatch, record: { id: expect.any(String) } },
  },
];

describe.each(fields)(
  'an employer whose registration $endpoint rejects',
  ({ endpoint, selection, nothing, parameter, unknown, others }) => {
    const askAbout = async (registration: string) => {
      const { data, errors } = await padron.ask(ofEmployer(`field: ${selection}`), { registration });
      expect(errors).toBeUndefined();
      return data.employer.field;
    };

    it("points to the argument that the registry rejected, with the registry's message", async () => {
      const { problems } = await askAbout(card('unprocessable', 'registration'));
      expect(problems).toMatchObject([{ path: ['registration'], message: `El campo ${parameter} es obligatorio.` }]);
    });

    it('is NOT_FOUND if the service answers 404: a paid answer', async () => {
      const before = padron.spent();
      expect(await askAbout(card('not-found', 'registration'))).toMatchObject({
        ...{ outcome: 'NOT_FOUND', problems: [], ...nothing, ...unknown },
        evidence: { status: 404, units: 1, billing: 'CHARGED' },
      });
      expect(padron.spent() - before).toBe(1);
      expect(padron.calls()).toEqual([endpoint]);
    });

    it('keeps an answer about another employer, with a warning', async () => {
      expect(await askAbout(card('somebody-else', 'registration'))).toMatchObject(others);
      expect(padron.calls()).toEqual([endpoint]);
    });

    it.each(wrongRegistrations)('is rejected as %s without a call: %s', async (registration, code) => {
      expect(await askAbout(registration)).toEqual({ ...rejectedWithoutCall(code, ['registration']), ...nothing });
      expect(padron.calls()).toEqual([]);
    });
  },
);
