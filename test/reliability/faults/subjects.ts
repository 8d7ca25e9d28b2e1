import { buildGraph } from '../../../src/graph/schema/build-schema';
import type { EnvelopeKind } from '../../../src/registry/endpoint/endpoint';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { coverageQuestions, NOW } from '../../support/operations/coverage-questions';
import { fullSelection } from '../../support/operations/full-selection';

/** An endpoint as the matrix asks it: one operation, with a sibling that another endpoint answers. */
export interface Subject {
  readonly name: string;
  readonly opens: EnvelopeKind;
  /** Whether a request of the service is this endpoint's. */
  readonly matches: (path: string) => boolean;
  readonly query: string;
  /** Subjects of one round are asked at once, so that none may need another one's answer. */
  readonly round: 0 | 1 | 2;
  /** Nothing is paid, and the field has no lookup of its own: it is there or it is null. */
  readonly free: boolean;
}

/** The clock of the matrix. */
export { NOW };

export const BALANCE = '/api/balance';
const graph = buildGraph();

const somebody = findOrThrow(people, ({ credit, licences }) => !!credit && licences.length > 0);
const licence = `professionalLicence(number: "${somebody.licences[0]?.number}") { outcome }`;
const credit = `person(nss: "${somebody.nss}") { credit { outcome } }`;
const siblings = {
  licence: `sibling: ${licence}`,
  credit: `sibling: ${credit}`,
  // A mutation has no other field: refused here, it is alive and asks nobody.
  refusal: 'sibling: verifySignature(input: {rfc: "", password: "", certificate: {}, privateKey: {}}) { outcome }',
} as const;

/** Endpoints that the others' siblings or chains ask are tried in a round of their own. */
const later = new Set(['findLicence', 'resolveObligatedSubject', 'downloadReceipt inline']);

const bytes = '{ content contentProblem { code message } }';

const paid: readonly Subject[] = coverageQuestions.map(({ endpoint: name, field, ask }) => {
  const entry = findOrThrow(graph.catalogue, ({ endpoint }) => endpoint.name === name).endpoint;
  const document = ask(fullSelection(graph, field).replace(/\bcontent\s+contentProblem\s*\{[^}]*\}/g, ''));
  const inline = document.includes('inline: true');
  const round = later.has(inline ? `${name} inline` : name) ? 1 : 0;
  const sibling = document.startsWith('mutation') ? 'refusal' : round === 0 ? 'licence' : 'credit';
  return {
    name: inline ? `${name} (inline)` : name,
    opens: entry.envelope,
    matches: (path) => path === entry.path,
    query: document.replace('{', `{ ${siblings[sibling]}`),
    round,
    free: false,
  };
});

function link(name: string, endpoint: string, path: string, selection: string): Subject {
  const question = findOrThrow(coverageQuestions, (candidate) => candidate.endpoint === endpoint);
  return {
    name,
    opens: 'file',
    matches: (asked) => asked.startsWith(path),
    query: question.ask(selection).replace('{', `{ ${siblings.credit}`),
    round: 2,
    free: true,
  };
}

/** Every endpoint of the catalogue, the account's balance and the two kinds of signed links. */
export const subjects: readonly Subject[] = [
  ...paid,
  {
    name: 'readBalance',
    opens: 'record',
    matches: (path) => path === BALANCE,
    query: `{ ${siblings.credit} unitEstimate(input: { operation: "{ __typename }" }) { rowCount currentBalance } }`,
    round: 1,
    free: true,
  },
  link('link of a professional status', 'downloadProfessionalStatus', '/archivos/', `{ record { document ${bytes} } }`),
  link('link of a receipt', 'downloadReceipt', '/private/imss/comprobantes-fiscales/archivo/', `{ pdf ${bytes} }`),
];

/** One operation a registry: it shows that the service's other connections are well, and ends a row of failures. */
export const controls: readonly string[] = [
  `{ ${licence} ${credit} ${ofPerson('identity')} ${ofEmployer()} }`,
  findOrThrow(coverageQuestions, ({ endpoint }) => endpoint === 'verifyElectronicSignature').ask('{ outcome valid }'),
];

function ofPerson(field: string): string {
  return `other: person(curp: "${somebody.curp}") { ${field} { outcome record { curp } } }`;
}

function ofEmployer(): string {
  const document = findOrThrow(coverageQuestions, ({ endpoint }) => endpoint === 'resolveObligatedSubject').ask(
    '{ outcome record { id } }',
  );
  return document.trim().slice(1, -1);
}
