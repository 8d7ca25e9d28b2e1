import type { EmployerYearQuery } from '../../schema/client/generated/graphql';
import { isFound, isTrusted } from '../../schema/client/is-found';

type Employer = NonNullable<EmployerYearQuery['employer']>;

const proof = {
  __typename: 'ReceiptsLookup',
  evidence: { __typename: 'RegistryEvidence', validationCode: 'a', checkedAt: null, servedFrom: 'LIVE', units: 1 },
  problems: [],
} as const;
const about = { __typename: 'RegistryProblem', message: '', path: null, retryable: false } as const;
const receipt = { __typename: 'EmployerReceipt', folio: '1', paidOn: null, amount: '1.00', files: null } as const;
const march: NonNullable<Employer['receiptsBetween']>[number] = {
  ...proof,
  outcome: 'FOUND',
  period: '2025-03',
  count: 1,
  records: [receipt],
};
const april: typeof march = { ...proof, outcome: 'UNAVAILABLE', period: '2025-04', count: null, records: null };

describe('isFound', () => {
  it('distinguishes FOUND from every other outcome, and from null', () => {
    const outcomes = ['NOT_FOUND', 'INVALID_INPUT', 'NOT_PERMITTED', 'UNAVAILABLE', 'NOT_RUN'] as const;
    expect(outcomes.map((outcome) => isFound({ ...april, outcome }))).toEqual(outcomes.map(() => false));
    expect([isFound(march), isFound(null), isFound(undefined)]).toEqual([true, false, false]);
  });

  it.each([
    ['ANSWER_MISMATCH', false],
    ['IDENTITY_CONFLICT', false],
    ['WRONG_CHECK_DIGIT', true],
    ['A_CODE_OF_TOMORROW', true],
  ])('of an answer with the problem %s is %s', (code, expected) => {
    const problems = [
      { code: 'WRONG_CHECK_DIGIT', ...about },
      { code, ...about },
    ];
    expect(isFound({ ...march, problems })).toBe(expected);
    expect(isTrusted({ problems })).toBe(expected);
  });

  it('filters a list of months to those whose records can be read', () => {
    const folios: readonly string[] = [march, april]
      .filter(isFound)
      .flatMap((month) => month.records.map(({ folio }) => folio));
    expect(folios).toEqual(['1']);
  });
});
