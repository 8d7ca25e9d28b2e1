import type { TypedDocumentNode } from '@apollo/client';
import { parse } from 'graphql';
import type { LookupOutcome } from '../../../schema/client/generated/graphql';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../find-or-throw';

/** Two components of one page that show the same person's credit. */
export interface CreditView<Fields> {
  readonly person: {
    readonly credit: {
      readonly outcome: LookupOutcome;
      readonly evidence: { readonly checkedAt: string | null };
      readonly record: Fields | null;
    } | null;
  } | null;
}

interface JudgedLookup {
  readonly outcome: LookupOutcome;
  readonly problems: readonly { readonly code: string }[];
  readonly record: object | null;
}

type CreditDocument<Fields> = TypedDocumentNode<CreditView<Fields>, { nss: string }>;

const document = (name: string, beside: string, proof: string, field: string) =>
  parse(`query ${name}($nss: NSS!) { person(nss: $nss) { ${beside}
    credit { outcome evidence { checkedAt ${proof} } record { ${field} } } } }`);

export const badge: CreditDocument<{ readonly hasCredit: boolean | null }> = document(
  'Badge',
  'nss',
  'validationCode',
  'hasCredit',
);
export const card: CreditDocument<{ readonly situation: string | null }> = document(
  'Card',
  'nss',
  'units',
  'situation',
);

/** The same two components, which do not select the identifier of the person. */
export const namelessBadge: typeof badge = document(
  'NamelessBadge',
  'housingAccount { outcome }',
  'validationCode',
  'hasCredit',
);
export const namelessCard: typeof card = document('NamelessCard', 'identity { outcome }', 'units', 'situation');

export const employerCard: TypedDocumentNode<
  { readonly employer: { readonly snapshots: { readonly outcome: LookupOutcome } | null } | null },
  { registration: string }
> =
  parse(`query EmployerCard($registration: EmployerRegistration!) { employer(registration: $registration) { registration
  snapshots { outcome } } }`);

export const debtor = findOrThrow(
  people,
  ({ credit, account }) => credit !== null && credit !== '' && account !== null,
);

/** Asks by two identifiers, which may be of two people. */
export const mixedIdentifiers: TypedDocumentNode<
  { readonly person: { readonly credit: JudgedLookup | null; readonly identity: JudgedLookup | null } | null },
  { nss: string; curp: string }
> = parse(`query MixedIdentifiers($nss: NSS!, $curp: CURP!) { person(nss: $nss, curp: $curp) {
  credit { outcome problems { code } record { hasCredit } } identity { outcome problems { code } record { curp } } } }`);
