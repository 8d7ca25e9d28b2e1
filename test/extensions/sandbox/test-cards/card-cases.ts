import { employers } from '../../../../src/extensions/sandbox/data/employers';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { cards, type TestCard } from '../../../../src/extensions/sandbox/test-cards/cards';
import { allEmployers } from '../../../../src/extensions/sandbox/test-cards/directory';
import type { Failure } from '../../../../src/extensions/sandbox/test-cards/failures';
import { testPersonas } from '../../../../src/extensions/sandbox/test-cards/personas';
import { findOrThrow } from '../../../support/find-or-throw';
import { type Endpoint, endpoints, type Subject } from '../../../support/sandbox/sandbox-questions';

const somebody = findOrThrow(people, ({ licences, certificate }) => licences.length > 0 && certificate);
const someEmployer = findOrThrow(employers, ({ owes }) => !owes);
const invalidSignature = { password: 'x', certificate: Buffer.from('x'), privateKey: Buffer.from('x') };

/** Returns the owner of the card's identifier. The rest of the question belongs to a person and an employer without a card. */
export function getSubject({ failure, identifier, value, month }: TestCard): Subject {
  const persona = testPersonas.find((candidate) => candidate.failure === failure);
  const employer = allEmployers.find(
    (candidate) => candidate.registration === value || candidate.obligatedSubjectId === value,
  );
  return {
    person: persona?.person ?? somebody,
    employer: employer ?? (identifier === 'rfc' && failure === 'slow' && persona ? persona.employer : someEmployer),
    signature: invalidSignature,
    ...(month === undefined ? {} : { month }),
  };
}

/** Returns the input of an endpoint with the card's identifier. */
export function makeInput(card: TestCard, { input }: Endpoint): Readonly<Record<string, unknown>> {
  const full = input(getSubject(card));
  return card.identifier === 'rfc' && 'rfc' in full ? { ...full, rfc: card.value } : full;
}

function listEndpoints(card: TestCard): readonly Endpoint[] {
  return endpoints.filter(
    ({ endpoint, identifiers }) =>
      identifiers.includes(card.identifier) && (card.endpoints?.includes(endpoint) ?? true),
  );
}

export interface CardCase {
  readonly card: TestCard;
  readonly endpoint: Endpoint;
  readonly name: string;
}

/** Every card at every endpoint where it applies. */
export const cardCases: readonly CardCase[] = cards.flatMap((card) =>
  listEndpoints(card).map((endpoint) => ({
    card,
    endpoint,
    name: `${card.failure} by ${card.identifier} ${card.value} at ${endpoint.endpoint}`,
  })),
);
export const getCardCases = (...wanted: readonly Failure[]): readonly CardCase[] =>
  cardCases.filter(({ card }) => wanted.includes(card.failure));
