import type { IdentifierKind } from '../protocol/route';
import { foldedName, licenceKey } from './directory';
import { type Failure, failures } from './failures';
import { type Player, partlyFailing, players } from './personas';

/** A documented identifier, right in itself, to which the service answers with a failure. */
export interface TestCard {
  readonly failure: Failure;
  readonly identifier: IdentifierKind;
  readonly value: string;
  readonly description: string;
  /** Plays only here; without it, on every endpoint that takes the identifier. */
  readonly endpoints?: readonly string[];
  /** Plays only for this month of any year. */
  readonly month?: number;
}

const LIST = 'POST /private/comprobantes-fiscales';
const DOWNLOAD = 'POST /private/comprobantes-fiscales/descargar';
const CONSTANCIA = 'POST /api/sep/grupo/descargar-constancia-profesional';
const SNAPSHOTS = 'GET /private/rps/snapshots';
const OBLIGATED_SUBJECT = 'POST /private/sujeto-obligado';
const OPINION = 'POST /private/32d-imss';

/** Where a link is given, and by which identifier. */
const linkEndpoints: Partial<Record<IdentifierKind, string>> = { curp: CONSTANCIA, registration: DOWNLOAD };

function identifiersOf({ person, employer }: Player): readonly (readonly [IdentifierKind, string])[] {
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

function cardsOf(player: Player): readonly TestCard[] {
  const row = failures.find(({ name }) => name === player.failure);
  const description = row?.description ?? player.failure;
  const onlyLinks = row !== undefined && 'links' in row;
  return identifiersOf(player).flatMap(([identifier, value]) => {
    const card = { failure: player.failure, identifier, value, description };
    // A verified signature tells nobody's data, so nobody else's either.
    if (player.failure === 'somebody-else' && identifier === 'rfc') return [{ ...card, endpoints: [OPINION] }];
    if (!onlyLinks) return [card];
    const endpoint = linkEndpoints[identifier];
    return endpoint ? [{ ...card, endpoints: [endpoint] }] : [];
  });
}

function part(employer: { readonly registration: string }, failure: Failure, endpoint: string): TestCard {
  const description = `fails at ${endpoint} only (${failure})`;
  return { failure, identifier: 'registration', value: employer.registration, description, endpoints: [endpoint] };
}

const partCards: readonly TestCard[] = [
  {
    failure: 'IMSS_TRANSPORT_ERROR',
    identifier: 'registration',
    value: partlyFailing.june.registration,
    description: 'one bad month: June of every year answers 502 IMSS_TRANSPORT_ERROR, other months well',
    endpoints: [LIST, DOWNLOAD],
    month: 6,
  },
  part(partlyFailing.upstreamDownload, 'IMSS_UPSTREAM_ERROR', DOWNLOAD),
  part(partlyFailing.filetypeDownload, 'IMSS_FILETYPE_ERROR', DOWNLOAD),
  part(partlyFailing.inconsistentDownload, 'IMSS_INCONSISTENT_DATA', DOWNLOAD),
  part(partlyFailing.snapshots, 'server-error', SNAPSHOTS),
  part(partlyFailing.obligatedSubject, 'server-error', OBLIGATED_SUBJECT),
  {
    failure: 'server-error',
    identifier: 'obligatedSubject',
    value: partlyFailing.opinion.obligatedSubjectId,
    description: `fails at ${OPINION} only; its registration answers well everywhere (server-error)`,
  },
];

/** Every test card: the one table behind the sandbox, its documents and its tests. */
export const cards: readonly TestCard[] = [...players.flatMap(cardsOf), ...partCards];

function cardKey(identifier: IdentifierKind, value: string): string {
  const plain = identifier === 'licence' ? licenceKey(value) : identifier === 'nss' ? value.padStart(11, '0') : value;
  return `${identifier} ${foldedName(plain)}`;
}

const byIdentifier = new Map(cards.map((card) => [cardKey(card.identifier, card.value), card]));

/** The card that an identifier is, if it is one. */
export function findCard(identifier: IdentifierKind, value: string): TestCard | undefined {
  return byIdentifier.get(cardKey(identifier, value));
}

/** The card that plays `failure` wherever the identifier is taken. */
export function cardFor(failure: Failure, identifier: IdentifierKind): TestCard {
  const card = cards.find((one) => one.failure === failure && one.identifier === identifier);
  if (!card) throw new RangeError(`No test card plays ${failure} by ${identifier}.`);
  return card;
}
