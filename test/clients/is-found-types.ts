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

/** Compiles only where each line does what it says: `npm run types` checks it. */
export function typesOf(
  { credit, professionalStatus }: Person,
  { snapshots }: Employer,
  { professionalLicence }: LicenceCheckQuery,
  { verifySignature }: SignatureCheckMutation,
  opinion: NonNullable<ComplianceOpinionQuery['employer']>['complianceOpinion'],
  files: NonNullable<ReceiptFilesQuery['employer']>['receiptFiles'],
): readonly unknown[] {
  // @ts-expect-error The lookup may be null: a router nulls it while padron is down.
  const lookup = credit.outcome;
  // @ts-expect-error The record may be null while nobody has looked at the outcome.
  const record = credit?.record.hasCredit;
  // @ts-expect-error Without its outcome a lookup cannot be judged.
  const unjudged = isFound({ problems: [], record: null });
  // @ts-expect-error Nor without its problems: the record may be a stranger's.
  const unwarned = isFound({ outcome: 'FOUND', record: null });
  if (!isFound(credit) || !isFound(professionalStatus)) return [lookup, record, unjudged, unwarned, credit?.problems];
  const found: 'FOUND' = credit.outcome;
  const hasCredit: boolean | null = credit.record.hasCredit;
  const url: string | null = professionalStatus.record.document.url;
  // @ts-expect-error A record's own fields stay as nullable as they are.
  const situation: string = credit.record.situation;
  if (!isFound(snapshots) || !isFound(professionalLicence)) return [found, hasCredit, url, situation];
  const names = [
    ...snapshots.records.map(({ name }) => name),
    ...professionalLicence.records.map(({ title }) => title),
  ];
  if (!isFound(verifySignature) || !isFound(opinion) || !isFound(files)) return names;
  const valid: boolean = verifySignature.valid;
  const size: number | null = opinion.document.sizeBytes;
  // @ts-expect-error A signature may be valid though its certificate cannot be read here.
  const holder = verifySignature.certificate.holder;
  // @ts-expect-error A receipt may have come without its PDF.
  const pdf = files.pdf.content;
  return [valid, size, holder, pdf];
}
