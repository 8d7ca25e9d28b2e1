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
  SNAPSHOTS,
  SUBJECT,
} from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { padronForTests } from '../../../support/padrons/padron-for-tests';

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

  it('is found by its key through a gateway, and is null without the key', async () => {
    const { data, errors } = await padron.ask(
      `query ($keys: [_Any!]!) { _entities(representations: $keys) { ... on Employer {
        registration obligatedSubject { outcome record { id } } } } }`,
      { keys: [{ __typename: 'Employer', registration }, { __typename: 'Employer' }] },
    );
    expect(errors).toBeUndefined();
    const found = { outcome: 'FOUND', record: { id: payer.obligatedSubjectId } };
    expect(data._entities).toEqual([{ registration, obligatedSubject: found }, null]);
    expect(padron.calls()).toEqual([SUBJECT]);
  });
});
