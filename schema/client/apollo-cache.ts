import type { FieldReadFunction, StoreObject, TypePolicies, TypePolicy } from '@apollo/client/cache';
import { possibleTypes } from './possible-types';

/** Identifies an entity by those of these fields that are selected and not null. Without any, it is embedded in its parent. */
const keyedBy =
  (...fields: readonly string[]) =>
  (entity: Readonly<StoreObject>): readonly string[] | false => {
    const present = fields.filter((field) => typeof entity[field] === 'string');
    return present.length > 0 && present;
  };

const isEmbedded = (stored: unknown): stored is StoreObject =>
  typeof stored === 'object' && stored !== null && !Array.isArray(stored) && !('__ref' in stored);

/** Maximum time between two answers of the same occasion. */
const occasionMs = 60_000;

const checkedAt = ({ evidence }: StoreObject): number =>
  isEmbedded(evidence) && typeof evidence.checkedAt === 'string' ? Date.parse(evidence.checkedAt) : Number.NaN;

/**
 * Whether two answers belong to different occasions. Two answers of one occasion are merged even if they differ: components that replace
 * each other's answers would fetch without end.
 */
const isAnotherOccasion = (existing: StoreObject, incoming: StoreObject): boolean =>
  Math.abs(checkedAt(incoming) - checkedAt(existing)) > occasionMs;

/** Merges answers of the same occasion. An answer of another occasion replaces the existing one. */
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

/** Finds the entity that the arguments identify, so that an entity from another query is read without a request. */
const foundByArguments =
  (type: string, ...keys: readonly string[]): FieldReadFunction =>
  (existing, { args, toReference }) => {
    const given = Object.entries(args ?? {}).filter(([, argument]) => argument !== null && argument !== undefined);
    // Any other argument (a person's name) changes the answers of the entity's fields.
    const isKey = given.length > 0 && given.every(([name]) => keys.includes(name));
    if (existing !== undefined || !isKey) return existing;
    return toReference({ __typename: type, ...Object.fromEntries(given) });
  };

/**
 * Policies for `new InMemoryCache({ typePolicies, possibleTypes })`. A person is identified by the selected identifiers, and an employer by
 * its registration. A lookup belongs to its field, whatever `id` its record has. If components select different fields of one answer, the
 * cache merges them. Otherwise they would fetch the answer in turns and pay each time. An answer of another occasion (more than a minute
 * apart) replaces the whole lookup, so that a proof is never shown beside data that it does not prove. Select the identifiers that you
 * query by. With a `name`, select no identifier, because the same identifiers then have other licences.
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
  RegistryEarlierBatch: value,
  RegistryErasure: value,
  RegistryEvent: value,
  StudyCertificate: value,
  ...Object.fromEntries(possibleTypes.RegistryLookup.map((type) => [type, lookup])),
};

/**
 * Options for `new ApolloClient({ defaultOptions: { watchQuery: buyOnce } })`. A mounted query is sent once and then only reads the cache,
 * so that a write that removes one of its fields does not buy the field again. New variables and `refetch()` still send it.
 */
export const buyOnce = { fetchPolicy: 'cache-first', nextFetchPolicy: 'cache-only' } as const;
