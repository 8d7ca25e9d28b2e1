import { people } from '../../../src/extensions/sandbox/data/people';
import type { EnvelopeKind } from '../../../src/registry/endpoint/endpoint';
import { findOrThrow } from '../../support/find-or-throw';
import { coverageQuestions } from '../../support/operations/coverage-questions';
import { fullSelection } from '../../support/operations/full-selection';
import { buildGraph } from '../../support/padrons/whole-padron';

/** An endpoint and its operation, which also selects a sibling field of another endpoint. */
export interface Subject {
  readonly name: string;
  readonly opens: EnvelopeKind;
  readonly matches: (path: string) => boolean;
  readonly query: string;
  /** Subjects of one round are called at the same time, so none depends on another. */
  readonly round: 0 | 1 | 2;
  /** Whether the endpoint is free. Its field then has no lookup and is null after a failure. */
  readonly free: boolean;
}

export const BALANCE = '/api/balance';
const graph = buildGraph();

const somebody = findOrThrow(people, ({ credit, licences }) => !!credit && licences.length > 0);
const licence = `professionalLicence(number: "${somebody.licences[0]?.number}") { outcome }`;
const credit = `person(nss: "${somebody.nss}") { credit { outcome } }`;
const siblings = {
  licence: `sibling: ${licence}`,
  credit: `sibling: ${credit}`,
  // Invalid input is answered without a call.
  refusal: 'sibling: verifySignature(input: {rfc: "", password: "", certificate: {}, privateKey: {}}) { outcome }',
} as const;

/** Endpoints that other subjects call too. */
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

/** Operations that call each registry. They show that it still works, and close its circuit breaker. */
export const controls: readonly string[] = [
  `{ ${licence} ${credit} ${ofPerson('identity')} ${ofEmployer()} }`,
  findOrThrow(coverageQuestions, ({ endpoint }) => endpoint === 'verifyElectronicSignature').ask('{ outcome valid }'),
  '{ unitEstimate(input: { operation: "{ __typename }" }) { currentBalance } }',
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
