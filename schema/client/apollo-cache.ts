import type { FieldReadFunction, StoreObject, TypePolicies, TypePolicy } from '@apollo/client/cache';
import { possibleTypes } from './possible-types';

/** Normalised by those of these fields that were selected and are not null; embedded where there is none. */
const keyedBy =
  (...fields: readonly string[]) =>
  (entity: Readonly<StoreObject>): readonly string[] | false => {
    const present = fields.filter((field) => typeof entity[field] === 'string');
    return present.length > 0 && present;
  };

const isEmbedded = (stored: unknown): stored is StoreObject =>
  typeof stored === 'object' && stored !== null && !Array.isArray(stored) && !('__ref' in stored);

/** How far apart two answers are still one: the registry was asked for both on the same occasion. */
const occasionMs = 60_000;

const checkedAt = ({ evidence }: StoreObject): number =>
  isEmbedded(evidence) && typeof evidence.checkedAt === 'string' ? Date.parse(evidence.checkedAt) : Number.NaN;

/** Not whether they are the same answer: components that each bought their own would replace each other's without end. */
const isAnotherOccasion = (existing: StoreObject, incoming: StoreObject): boolean =>
  Math.abs(checkedAt(incoming) - checkedAt(existing)) > occasionMs;

/** What was asked on one occasion adds up; what comes from another takes the place of all of it. */
function merged(existing: unknown, incoming: unknown): unknown {
  if (Array.isArray(existing) && Array.isArray(incoming) && existing.length === incoming.length) {
    return incoming.map((entry, index) => merged(existing[index], entry));
  }
  if (!isEmbedded(existing) || !isEmbedded(incoming)) return incoming;
  if (existing.__typename !== incoming.__typename || isAnotherOccasion(existing, incoming)) return incoming;
  const fields = Object.entries(incoming).map(([field, stored]) => [field, merged(existing[field], stored)] as const);
  return { ...existing, ...Object.fromEntries(fields) };
}

const lookup: TypePolicy = { keyFields: false, merge: merged };
const value: TypePolicy = { keyFields: false };

/** The entity that the arguments name, so that one met elsewhere in the graph is found again without a request. */
const foundByArguments =
  (type: string, ...keys: readonly string[]): FieldReadFunction =>
  (existing, { args, toReference }) => {
    const given = Object.entries(args ?? {}).filter(([, argument]) => argument !== null && argument !== undefined);
    // Whatever else is given (a person's name) changes what the entity's fields answer.
    const isKey = given.length > 0 && given.every(([name]) => keys.includes(name));
    if (existing !== undefined || !isKey) return existing;
    return toReference({ __typename: type, ...Object.fromEntries(given) });
  };

/**
 * For `new InMemoryCache({ typePolicies, possibleTypes })`. A person is the identifiers they were asked by, an employer is their
 * registration; a lookup belongs to the field that asked, whatever `id` its record has. Components that select different
 * fields of one answer add to each other instead of fetching by turns, which would buy the answer again and again; one from
 * another occasion (a minute and more apart) takes its place whole, since a proof must not stand beside data that it does not prove.
 * Select the identifiers you ask by; with a `name`, select none, since the same identifiers then give other licences.
 */
export const typePolicies: TypePolicies = {
  Query: {
    fields: {
      person: { read: foundByArguments('Person', 'nss', 'curp') },
      employer: { read: foundByArguments('Employer', 'registration') },
    },
  },
  Person: { keyFields: keyedBy('nss', 'curp'), merge: true },
  Employer: { keyFields: keyedBy('registration'), merge: true, fields: { receiptsBetween: { merge: merged } } },
  RegistryEndpoint: { keyFields: keyedBy('endpoint') },
  EmployerSnapshot: value,
  ObligatedSubject: value,
  RegistryAuditRecord: value,
  RegistryErasure: value,
  StudyCertificate: value,
  ...Object.fromEntries(possibleTypes.RegistryLookup.map((type) => [type, lookup])),
};

/**
 * For `new ApolloClient({ defaultOptions: { watchQuery: buyOnce } })`. A mounted query asks once and then only reads the cache:
 * a write that takes a field from under it must not buy the field again. New variables and `refetch()` still ask.
 */
export const buyOnce = { fetchPolicy: 'cache-first', nextFetchPolicy: 'cache-only' } as const;
