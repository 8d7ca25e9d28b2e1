import type { CreditQuery } from './generated/graphql';

type CreditLookup = NonNullable<NonNullable<CreditQuery['person']>['credit']>;

export const nss = '04159600263';

/** Returns the data of an answer about one person. */
export function answerWith(credit: Pick<CreditLookup, 'outcome' | 'problems' | 'record'>): CreditQuery {
  const evidence = { __typename: 'RegistryEvidence', checkedAt: '2026-01-31T18:00:00.000Z' } as const;
  return { person: { __typename: 'Person', nss, credit: { __typename: 'HousingCreditLookup', evidence, ...credit } } };
}

export const found = answerWith({
  outcome: 'FOUND',
  problems: [],
  record: { __typename: 'HousingCredit', hasCredit: true },
});
export const timedOut = answerWith({
  outcome: 'UNAVAILABLE',
  problems: [{ __typename: 'RegistryProblem', code: 'REGISTRY_TIMEOUT', retryable: true }],
  record: null,
});
