import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findReceipts } from '../../../src/extensions/sandbox/documents/receipts';
import { sandboxCredentials } from '../../../src/extensions/sandbox/efirma/credentials';
import { findOrThrow } from '../find-or-throw';
import { buildGraph } from '../padrons/whole-padron';
import { type Endpoint, endpoints, NOW } from '../sandbox/sandbox-questions';

/** A query of one field for which its endpoint answers with a record. */
export interface CoverageQuestion {
  /** The endpoint by its name in the catalogue. */
  readonly endpoint: string;
  /** The field that asks it, as a schema coordinate. */
  readonly field: string;
  readonly ask: (selection: string) => string;
}

const { catalogue } = buildGraph();
const MONTH = '202606';
const period = '2026-06';

const person = findOrThrow(
  people,
  ({ credit, account, licences, certificate }) => !!credit && !!account && licences.length > 0 && certificate !== null,
);
const employer = findOrThrow(employers, (candidate) => findReceipts(candidate, MONTH, NOW).length > 0);
const [receipt] = findReceipts(employer, MONTH, NOW);
const credential = findOrThrow(sandboxCredentials, ({ name }) => name === 'person');

const ofEmployer = (field: string) => (selection: string) =>
  `{ employer(registration: "${employer.registration}") { ${field} ${selection} } }`;

const name = `{ names: "${person.names}", paternalSurname: "${person.paternalSurname}" }`;
const file = (bytes: Buffer): string => `{ base64: "${bytes.toString('base64')}" }`;
const signature = `{ rfc: "${credential.rfc}", password: "${credential.password}",
  certificate: ${file(credential.certificate)}, privateKey: ${file(credential.privateKey)} }`;

const files = (inline: boolean): CoverageQuestion => ({
  endpoint: 'downloadReceipt',
  field: 'Employer.receiptFiles',
  ask: ofEmployer(`receiptFiles(period: "${period}", folio: "${receipt?.folio}", inline: ${inline})`),
});

const withArguments: readonly CoverageQuestion[] = [
  {
    endpoint: 'findLicence',
    field: 'Query.professionalLicence',
    ask: (selection) => `{ professionalLicence(number: "${person.licences[0]?.number}") ${selection} }`,
  },
  {
    endpoint: 'searchLicences',
    field: 'Person.licences',
    ask: (selection) => `{ person(name: ${name}) { licences(match: ALL) ${selection} } }`,
  },
  {
    endpoint: 'findCertificate',
    field: 'Query.studyCertificate',
    ask: (selection) => `{ studyCertificate(folio: "${person.certificate?.folio}") ${selection} }`,
  },
  {
    endpoint: 'verifyElectronicSignature',
    field: 'Mutation.verifySignature',
    ask: (selection) => `mutation { verifySignature(input: ${signature}) ${selection} }`,
  },
  // A receipt of another registration is shown as this employer's.
  { endpoint: 'listReceipts', field: 'Employer.receipts', ask: ofEmployer(`receipts(period: "${period}")`) },
  files(false),
  files(true),
  {
    endpoint: 'issueOpinion',
    field: 'Employer.complianceOpinion',
    ask: ofEmployer(`complianceOpinion(rfc: "${employer.rfc}")`),
  },
];

/** Asks an endpoint that takes one identifier through the field of the person or the employer that calls it. */
function byIdentifier({ name: endpoint, identifiers: [identifier] }: Endpoint): CoverageQuestion {
  const { fields } = findOrThrow(catalogue, (entry) => entry.endpoint.name === endpoint);
  const field = findOrThrow(fields, (coordinate) => /^(?:Person|Employer)\./.test(coordinate));
  const [, fieldName = ''] = field.split('.');
  if (identifier === 'registration') return { endpoint, field, ask: ofEmployer(fieldName) };
  if (identifier !== 'nss' && identifier !== 'curp') throw new Error(`coverage-questions.ts does not ask ${endpoint}.`);
  const subject = `person(${identifier}: "${person[identifier]}")`;
  return { endpoint, field, ask: (selection) => `{ ${subject} { ${fieldName} ${selection} } }` };
}

/** At least one question for each endpoint. */
export const coverageQuestions: readonly CoverageQuestion[] = [
  ...endpoints.filter(({ name }) => !withArguments.some(({ endpoint }) => endpoint === name)).map(byIdentifier),
  ...withArguments,
];
