import { employers } from '../../src/sandbox/data/employers';
import { people } from '../../src/sandbox/data/people';
import { cards, type TestCard } from '../../src/sandbox/test-cards/cards';
import { allEmployers } from '../../src/sandbox/test-cards/directory';
import type { Failure } from '../../src/sandbox/test-cards/failures';
import { testPersonas } from '../../src/sandbox/test-cards/personas';
import { type Endpoint, endpoints, type Subject, theFirst } from './sandbox-questions';

const somebody = theFirst(people, ({ licences, certificate }) => licences.length > 0 && certificate);
const someEmployer = theFirst(employers, ({ owes }) => !owes);
const rubbish = { password: 'x', certificate: Buffer.from('x'), privateKey: Buffer.from('x') };

/** Whoever holds the card's identifier; all else in the question is somebody's who plays no failure. */
export function subjectOf({ failure, identifier, value, month }: TestCard): Subject {
  const player = testPersonas.find((one) => one.failure === failure);
  const employer = allEmployers.find((one) => one.registration === value || one.obligatedSubjectId === value);
  return {
    person: player?.person ?? somebody,
    employer: employer ?? (identifier === 'rfc' && failure === 'slow' && player ? player.employer : someEmployer),
    signature: rubbish,
    ...(month === undefined ? {} : { month }),
  };
}

/** The whole input of an endpoint with the card in it. */
export function inputOf(card: TestCard, { input }: Endpoint): Readonly<Record<string, unknown>> {
  const full = input(subjectOf(card));
  return card.identifier === 'rfc' && 'rfc' in full ? { ...full, rfc: card.value } : full;
}

function endpointsOf(card: TestCard): readonly Endpoint[] {
  return endpoints.filter(
    ({ endpoint, identifiers }) =>
      identifiers.includes(card.identifier) && (card.endpoints?.includes(endpoint) ?? true),
  );
}

/** One card on one endpoint. */
export interface Play {
  readonly card: TestCard;
  readonly endpoint: Endpoint;
  readonly name: string;
}

/** Every card on every endpoint that it plays on. */
export const plays: readonly Play[] = cards.flatMap((card) =>
  endpointsOf(card).map((endpoint) => ({
    card,
    endpoint,
    name: `${card.failure} by ${card.identifier} ${card.value} at ${endpoint.endpoint}`,
  })),
);
export const playsOf = (...wanted: readonly Failure[]): readonly Play[] =>
  plays.filter(({ card }) => wanted.includes(card.failure));
