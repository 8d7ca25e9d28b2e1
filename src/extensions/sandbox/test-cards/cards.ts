import type { IdentifierKind } from '../protocol/route';
import { foldName, toLicenceKey } from './directory';
import { type Failure, failures } from './failures';
import { partlyFailingEmployers, type TestPersona, testPersonas } from './personas';

/** A documented, valid identifier for which the service simulates a failure. */
export interface TestCard {
  readonly failure: Failure;
  readonly identifier: IdentifierKind;
  readonly value: string;
  readonly description: string;
  readonly spanish: string;
  /** Endpoints that fail. Without this list, every endpoint that takes the identifier fails. */
  readonly endpoints?: readonly string[];
  /** Month that fails, in any year. Without it, every month fails. */
  readonly month?: number;
}

const LIST = 'POST /private/comprobantes-fiscales';
const DOWNLOAD = 'POST /private/comprobantes-fiscales/descargar';
const CONSTANCIA = 'POST /api/sep/grupo/descargar-constancia-profesional';
const SNAPSHOTS = 'GET /private/rps/snapshots';
const OBLIGATED_SUBJECT = 'POST /private/sujeto-obligado';
const OPINION = 'POST /private/32d-imss';

/** Endpoints that answer with a link, by the kind of identifier that they take. */
const linkEndpoints: Partial<Record<IdentifierKind, string>> = { curp: CONSTANCIA, registration: DOWNLOAD };

function listIdentifiers({ person, employer }: TestPersona): readonly (readonly [IdentifierKind, string])[] {
  return [
    ['nss', person.nss],
    ['curp', person.curp],
    ['licence', person.licences[0]?.number ?? ''],
    ['folio', person.certificate?.folio ?? ''],
    ['surname', person.paternalSurname],
    ['rfc', person.rfc],
    ['registration', employer.registration],
    ['obligatedSubject', employer.obligatedSubjectId],
  ];
}

function makeCards(persona: TestPersona): readonly TestCard[] {
  const failure = failures.find(({ name }) => name === persona.failure);
  const { description, spanish } = failure ?? { description: persona.failure, spanish: persona.failure };
  return listIdentifiers(persona).flatMap(([identifier, value]) => {
    const card = { failure: persona.failure, identifier, value, description, spanish };
    // The answer about a signature holds no personal data, so it cannot be about another person.
    if (persona.failure === 'somebody-else' && identifier === 'rfc') return [{ ...card, endpoints: [OPINION] }];
    if (!failure?.onlyLinks) return [card];
    const endpoint = linkEndpoints[identifier];
    return endpoint ? [{ ...card, endpoints: [endpoint] }] : [];
  });
}

function makePartCard(employer: { readonly registration: string }, failure: Failure, endpoint: string): TestCard {
  const description = `fails at ${endpoint} only (${failure})`;
  const spanish = `solo falla en ${endpoint} (${failure})`;
  const value = employer.registration;
  return { failure, identifier: 'registration', value, description, spanish, endpoints: [endpoint] };
}

const partialFailureCards: readonly TestCard[] = [
  {
    failure: 'IMSS_TRANSPORT_ERROR',
    identifier: 'registration',
    value: partlyFailingEmployers.june.registration,
    description: 'June of every year fails with 502 IMSS_TRANSPORT_ERROR; other months succeed',
    spanish: 'junio de cada año falla con 502 IMSS_TRANSPORT_ERROR; los demás meses responden',
    endpoints: [LIST, DOWNLOAD],
    month: 6,
  },
  makePartCard(partlyFailingEmployers.upstreamDownload, 'IMSS_UPSTREAM_ERROR', DOWNLOAD),
  makePartCard(partlyFailingEmployers.filetypeDownload, 'IMSS_FILETYPE_ERROR', DOWNLOAD),
  makePartCard(partlyFailingEmployers.inconsistentDownload, 'IMSS_INCONSISTENT_DATA', DOWNLOAD),
  makePartCard(partlyFailingEmployers.snapshots, 'server-error', SNAPSHOTS),
  makePartCard(partlyFailingEmployers.obligatedSubject, 'server-error', OBLIGATED_SUBJECT),
  {
    failure: 'server-error',
    identifier: 'obligatedSubject',
    value: partlyFailingEmployers.opinion.obligatedSubjectId,
    description: `fails at ${OPINION} only; its registration works everywhere (server-error)`,
    spanish: `solo falla en ${OPINION}; su registro patronal responde en todo lo demás (server-error)`,
  },
];

/** All test cards. The sandbox, the documentation and the tests use this list. */
export const cards: readonly TestCard[] = [...testPersonas.flatMap(makeCards), ...partialFailureCards];

function toCardKey(identifier: IdentifierKind, value: string): string {
  const normalized =
    identifier === 'licence' ? toLicenceKey(value) : identifier === 'nss' ? value.padStart(11, '0') : value;
  return `${identifier} ${foldName(normalized)}`;
}

const byIdentifier = new Map(cards.map((card) => [toCardKey(card.identifier, card.value), card]));

export function findCard(identifier: IdentifierKind, value: string): TestCard | undefined {
  return byIdentifier.get(toCardKey(identifier, value));
}

/** Returns the card that makes endpoints fail with `failure` if they take this kind of identifier. */
export function getCard(failure: Failure, identifier: IdentifierKind): TestCard {
  const card = cards.find((candidate) => candidate.failure === failure && candidate.identifier === identifier);
  if (!card) throw new RangeError(`There is no test card of ${failure} for ${identifier}.`);
  return card;
}
