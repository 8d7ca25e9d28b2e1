import type {
  ComplianceOpinionQuery,
  EmployerYearQuery,
  LicenceCheckQuery,
  PersonProfileQuery,
  ReceiptFilesQuery,
  SignatureCheckMutation,
} from '../../schema/client/generated/graphql';
import { isFound } from '../../schema/client/is-found';

type Person = NonNullable<PersonProfileQuery['person']>;
type Employer = NonNullable<EmployerYearQuery['employer']>;

/** Compiles only if each line has the expected type. `npm run types` checks it. */
export function typesOf(
  { credit, professionalStatus }: Person,
  { snapshots }: Employer,
  { professionalLicence }: LicenceCheckQuery,
  { verifySignature }: SignatureCheckMutation,
  opinion: NonNullable<ComplianceOpinionQuery['employer']>['complianceOpinion'],
  files: NonNullable<ReceiptFilesQuery['employer']>['receiptFiles'],
): readonly unknown[] {
  // @ts-expect-error The lookup may be null, because a router returns null while padron is unavailable.
  const lookup = credit.outcome;
  // @ts-expect-error The record may be null until the outcome is checked.
  const record = credit?.record.hasCredit;
  // @ts-expect-error A lookup needs its outcome.
  const unjudged = isFound({ problems: [], record: null });
  // @ts-expect-error A lookup needs its problems, because the record may belong to another person.
  const unwarned = isFound({ outcome: 'FOUND', record: null });
  if (!isFound(credit) || !isFound(professionalStatus)) return [lookup, record, unjudged, unwarned, credit?.problems];
  const found: 'FOUND' = credit.outcome;
  const hasCredit: boolean | null = credit.record.hasCredit;
  const url: string | null = professionalStatus.record.document.url;
  // @ts-expect-error The fields of a record stay nullable.
  const situation: string = credit.record.situation;
  if (!isFound(snapshots) || !isFound(professionalLicence)) return [found, hasCredit, url, situation];
  const names = [
    ...snapshots.records.map(({ name }) => name),
    ...professionalLicence.records.map(({ title }) => title),
  ];
  if (!isFound(verifySignature) || !isFound(opinion) || !isFound(files)) return names;
  const valid: boolean = verifySignature.valid;
  const size: number | null = opinion.document.sizeBytes;
  // @ts-expect-error A signature may be valid although padron cannot read its certificate.
  const holder = verifySignature.certificate.holder;
  // @ts-expect-error A receipt may have no PDF.
  const pdf = files.pdf.content;
  return [valid, size, holder, pdf];
}
