import type { KeyGenerator, KeyingConfig, Resolver, ResolverConfig } from '@urql/exchange-graphcache';
import { possibleTypes } from './possible-types';

/** Kept by those of these fields that were selected and are not null; embedded where there is none. */
const keyedBy =
  (...fields: readonly string[]): KeyGenerator =>
  (entity) =>
    fields
      .map((field) => entity[field])
      .filter((key) => typeof key === 'string')
      .join(' ') || null;

const embedded: KeyGenerator = () => null;

/** Types that are part of one answer, beside the lookups. One that is missing here only makes graphcache warn, unless it has an `id`. */
const parts = [
  'Cfdi',
  'CfdiConcept',
  'CfdiParty',
  'ComplianceOpinion',
  'ContributionConcept',
  'CurpHistory',
  'EmployerReceipt',
  'EmployerSnapshot',
  'FiscalCredit',
  'HousingAccount',
  'HousingCredit',
  'IdentityFieldConsistency',
  'IdentityProof',
  'ObligatedSubject',
  'PersonConsistency',
  'ProfessionalLicence',
  'ProfessionalStatus',
  'RegisteredIdentity',
  'RegistryAuditPage',
  'RegistryAuditRecord',
  'RegistryBatchChange',
  'RegistryBatchColumn',
  'RegistryBatchPage',
  'RegistryBatchProgress',
  'RegistryBatchRefusedRow',
  'RegistryBatchRow',
  'RegistryBatchRowPage',
  'RegistryErasure',
  'RegistryEvidence',
  'RegistryFile',
  'RegistryLedgerPage',
  'RegistryProblem',
  'RegistrySettlement',
  'RegistrySpend',
  'SignatureCertificate',
  'StudyCertificate',
  'UnitEstimate',
  'UnitEstimateEndpoint',
];

/**
 * For `cacheExchange({ keys, resolvers, possibleTypes })` of graphcache. A person is the identifiers they were asked by, an employer is
 * their registration; everything else belongs to the field that asked, whatever `id` it has. Give no `schema`: with it graphcache
 * shows half an answer and fetches the rest by itself, which buys. urql's document cache is no choice at all: a signature
 * check would make it fetch every mounted query again, since all of them hold a RegistryEvidence.
 * Give the client `preferGetMethod: false`: by itself it sends short queries by GET, over which paid fields are refused.
 * Fields of one lookup add up, so take the whole proof wherever you take a record: one that a newer answer did not bring stays.
 */
export const keys: KeyingConfig = {
  Person: keyedBy('nss', 'curp'),
  Employer: keyedBy('registration'),
  RegistryBatch: keyedBy('id'),
  RegistryEndpoint: keyedBy('endpoint'),
  RegistryLedgerEntry: keyedBy('id'),
  RegistryBudget: keyedBy('id'),
  ...Object.fromEntries([...possibleTypes.RegistryLookup, ...parts].map((type) => [type, embedded])),
};

/** What was met elsewhere in the graph is found by the arguments that name it, unless the field itself was asked before. */
const foundByArguments =
  (type: string, ...names: readonly string[]): Resolver =>
  (_parent, args, cache, { parentKey, fieldName }) => {
    const known = cache.resolve(parentKey, fieldName, args);
    const given = Object.entries(args).filter(([, argument]) => argument !== null && argument !== undefined);
    // Whatever else is given (a person's name) changes what the entity's fields answer.
    const isKey = given.length > 0 && given.every(([name]) => names.includes(name));
    if (known !== undefined || !isKey) return known;
    return { __typename: type, ...Object.fromEntries(given) };
  };

/** Beside `keys`: one person, entered twice, is one entry. */
export const resolvers: ResolverConfig = {
  Query: {
    person: foundByArguments('Person', 'nss', 'curp'),
    employer: foundByArguments('Employer', 'registration'),
  },
};
