import type { KeyGenerator, KeyingConfig, Resolver, ResolverConfig } from '@urql/exchange-graphcache';
import { objectTypes } from './possible-types';

/** Identifies an entity by those of these fields that are selected and not null. Without any, it is embedded in its parent. */
const keyedBy =
  (...fields: readonly string[]): KeyGenerator =>
  (entity) =>
    fields
      .map((field) => entity[field])
      .filter((key) => typeof key === 'string')
      .join(' ') || null;

const embedded: KeyGenerator = () => null;

/**
 * Keys for `cacheExchange({ keys, resolvers, possibleTypes })` of graphcache. A person is identified by the selected identifiers, and an
 * employer by its registration. Everything else belongs to its field, whatever `id` it has. Do not set `schema`: graphcache then shows a
 * partial answer and fetches the rest automatically, which costs units. Do not use urql's document cache: after a signature check it
 * fetches every mounted query again, because all of them have a RegistryEvidence. Set `preferGetMethod: false` on the client: by default
 * it sends short queries by GET, over which paid fields are not available. Graphcache merges the fields of a lookup, so select the whole
 * proof wherever you select a record. Otherwise parts of an older proof remain.
 */
export const keys: KeyingConfig = {
  ...Object.fromEntries(objectTypes.map((type) => [type, embedded])),
  Person: keyedBy('nss', 'curp'),
  Employer: keyedBy('registration'),
  RegistryBatch: keyedBy('id'),
  RegistryEndpoint: keyedBy('endpoint'),
  RegistryLedgerEntry: keyedBy('id'),
  RegistryBudget: keyedBy('id'),
};

/** Finds the entity that the arguments identify, unless the cache has the field itself. */
const foundByArguments =
  (type: string, ...names: readonly string[]): Resolver =>
  (_parent, args, cache, { parentKey, fieldName }) => {
    const known = cache.resolve(parentKey, fieldName, args);
    const given = Object.entries(args).filter(([, argument]) => argument !== null && argument !== undefined);
    // Any other argument (a person's name) changes the answers of the entity's fields.
    const isKey = given.length > 0 && given.every(([name]) => names.includes(name));
    if (known !== undefined || !isKey) return known;
    return { __typename: type, ...Object.fromEntries(given) };
  };

/** Resolvers for `cacheExchange({ keys, resolvers, possibleTypes })`: a person that two queries select is one entry. */
export const resolvers: ResolverConfig = {
  Query: {
    person: foundByArguments('Person', 'nss', 'curp'),
    employer: foundByArguments('Employer', 'registration'),
  },
};
