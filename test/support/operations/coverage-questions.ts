import { employers } from '../../../src/sandbox/data/employers';
import { people } from '../../../src/sandbox/data/people';
import { findReceipts } from '../../../src/sandbox/documents/receipts';
import { sandboxCredentials } from '../../../src/sandbox/efirma/credentials';
import { findOrThrow } from '../find-or-throw';

/** A query of one field for which its endpoint answers with a record. */
export interface CoverageQuestion {
  readonly endpoint: string;
  readonly field: string;
  readonly ask: (selection: string) => string;
  /** Values that the graph does not show, each with the reason. */
  readonly silent?: Readonly<Record<string, string>>;
}

export const NOW = new Date('2026-11-20T18:00:00Z');
const MONTH = '202606';
const period = '2026-06';

const person = findOrThrow(
  people,
  ({ credit, account, licences, certificate }) => !!credit && !!account && licences.length > 0 && certificate !== null,
);
const employer = findOrThrow(employers, (candidate) => findReceipts(candidate, MONTH, NOW).length > 0);
const [receipt] = findReceipts(employer, MONTH, NOW);
const credential = findOrThrow(sandboxCredentials, ({ name }) => name === 'person');

const byNss = (field: string) => (selection: string) => `{ person(nss: "${person.nss}") { ${field} ${selection} } }`;
const byCurp = (field: string) => (selection: string) => `{ person(curp: "${person.curp}") { ${field} ${selection} } }`;
const ofEmployer = (field: string) => (selection: string) =>
  `{ employer(registration: "${employer.registration}") { ${field} ${selection} } }`;

const name = `{ names: "${person.names}", paternalSurname: "${person.paternalSurname}" }`;
const file = (bytes: Buffer): string => `{ base64: "${bytes.toString('base64')}" }`;
const signature = `{ rfc: "${credential.rfc}", password: "${credential.password}",
  certificate: ${file(credential.certificate)}, privateKey: ${file(credential.privateKey)} }`;

const portal = {
  ok: 'the envelope: the outcome tells it',
  'meta.fetched_at': 'the evidence tells when the registry was asked, by our own clock',
};
const common = { success: 'the envelope: the outcome tells it' };

const files = (inline: boolean): CoverageQuestion => ({
  endpoint: 'downloadReceipt',
  field: 'Employer.receiptFiles',
  ask: ofEmployer(`receiptFiles(period: "${period}", folio: "${receipt?.folio}", inline: ${inline})`),
  silent: portal,
});

export const coverageQuestions: readonly CoverageQuestion[] = [
  { endpoint: 'findIdentity', field: 'Person.identity', ask: byCurp('identity'), silent: common },
  { endpoint: 'findCredit', field: 'Person.credit', ask: byNss('credit'), silent: common },
  { endpoint: 'findHousingAccount', field: 'Person.housingAccount', ask: byNss('housingAccount'), silent: common },
  {
    endpoint: 'findLicence',
    field: 'Query.professionalLicence',
    ask: (selection) => `{ professionalLicence(number: "${person.licences[0]?.number}") ${selection} }`,
    silent: common,
  },
  {
    endpoint: 'searchLicences',
    field: 'Person.licences',
    ask: (selection) => `{ person(name: ${name}) { licences(match: ALL) ${selection} } }`,
    silent: common,
  },
  {
    endpoint: 'findCertificate',
    field: 'Query.studyCertificate',
    ask: (selection) => `{ studyCertificate(folio: "${person.certificate?.folio}") ${selection} }`,
    silent: common,
  },
  {
    endpoint: 'downloadProfessionalStatus',
    field: 'Person.professionalStatus',
    ask: byCurp('professionalStatus'),
    silent: common,
  },
  {
    endpoint: 'verifyElectronicSignature',
    field: 'Mutation.verifySignature',
    ask: (selection) => `mutation { verifySignature(input: ${signature}) ${selection} }`,
    silent: common,
  },
  {
    endpoint: 'listReceipts',
    field: 'Employer.receipts',
    ask: ofEmployer(`receipts(period: "${period}")`),
    silent: portal,
    // A receipt of another registration is shown as this employer's.
  },
  files(false),
  files(true),
  { endpoint: 'listSnapshots', field: 'Employer.snapshots', ask: ofEmployer('snapshots'), silent: common },
  {
    endpoint: 'resolveObligatedSubject',
    field: 'Employer.obligatedSubject',
    ask: ofEmployer('obligatedSubject'),
    silent: portal,
  },
  {
    endpoint: 'issueOpinion',
    field: 'Employer.complianceOpinion',
    ask: ofEmployer(`complianceOpinion(rfc: "${employer.rfc}")`),
  },
];
