import type { EmployerYearQuery } from '../../schema/client/generated/graphql';
import { isFound } from '../../schema/client/is-found';

type Employer = NonNullable<EmployerYearQuery['employer']>;

const proof = {
  evidence: { validationCode: 'a', checkedAt: null, servedFrom: 'LIVE', units: 1 },
  problems: [],
} as const;
const receipt = { folio: '1', paidOn: null, amount: '1.00', files: null };
const march: NonNullable<Employer['receiptsBetween']>[number] = {
  ...proof,
  outcome: 'FOUND',
  period: '2025-03',
  count: 1,
  records: [receipt],
};
const april: typeof march = { ...proof, outcome: 'UNAVAILABLE', period: '2025-04', count: null, records: null };

describe('isFound', () => {
  it('tells what was found from every other outcome, and from nothing', () => {
    const outcomes = ['NOT_FOUND', 'INVALID_INPUT', 'NOT_PERMITTED', 'UNAVAILABLE', 'NOT_RUN'] as const;
    expect(outcomes.map((outcome) => isFound({ outcome, record: null }))).toEqual(outcomes.map(() => false));
    expect([isFound({ outcome: 'FOUND', record: {} }), isFound(null), isFound(undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('filters a list of months to those whose records can be read', () => {
    const folios: readonly string[] = [march, april]
      .filter(isFound)
      .flatMap((month) => month.records.map(({ folio }) => folio));
    expect(folios).toEqual(['1']);
  });
});
