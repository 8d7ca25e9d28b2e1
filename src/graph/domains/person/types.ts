import { Directive } from 'type-graphql';
import type { Text } from '../../../identifiers/text';
import { addEnumValue, enumType, fields, Input, nonNull, nullable, Output, optional } from '../../core/fields';
import { Curp, Nss } from '../../core/scalars/scalars';
import type { IdentityCollector } from './collector';
import type { IdentityFacts } from './facts';

@Input("A person's name, as registries split it.")
export class PersonNameInput extends fields({
  names: nonNull(String, 'First name or names (`nombres`).'),
  paternalSurname: nonNull(String, 'First surname (`paterno`).'),
  maternalSurname: optional(String, 'Second surname (`materno`), if the person has one.'),
}) {}

@Directive('@key(fields: "nss")')
@Directive('@key(fields: "curp")')
@Directive('@key(fields: "identifiers")')
@Output(`A person across registries. If a field needs an identifier that you did not give, padron looks it up once, in the registry that
knows it (name and CURP through the housing fund by NSS; name through the population registry by CURP): a paid call like any other, included in the estimate. If no registry has it, the outcome is NOT_RUN with the problem MISSING_IDENTIFIER.
Each answer is compared with the identifiers and the name that you gave. An answer that contradicts them has the problem IDENTITY_CONFLICT:
its record may belong to another person, and padron takes no identifier from it.`)
export class Person extends fields({
  nss: nullable(Nss, 'Social security number, as given: never looked up.'),
  curp: nullable(
    Curp,
    'Population registry code, as given: never looked up. Null if the person was queried by NSS: then do not use CURP as the key of another subgraph.',
  ),
}) {
  /** Name that the caller provided. It is not a field of the graph. */
  readonly name: PersonNameInput | null;

  /** Collector of the answers about this person. It is not a field of the graph. */
  readonly collector: IdentityCollector;
}

export const IdentityFields = enumType<keyof IdentityFacts>(
  'IdentityField',
  'Parts of an identity. The page "How padron compares people" says which names are the same, and which are written differently.',
  {
    NSS: 'Social security number.',
    CURP: 'Population registry code.',
    RFC: 'Taxpayer code of a person. Compared by the date of birth that it contains.',
    NAMES: 'First name or names.',
    PATERNAL_SURNAME: 'First surname.',
    MATERNAL_SURNAME:
      'Second surname. A registry without one contradicts nothing, but only an equal CURP then makes the answers CONSISTENT.',
    BIRTH_DATE: 'Date of birth in the record, or else in its CURP.',
    SEX: 'Sex in the record, or else in its CURP. A CURP with X contradicts nothing.',
  },
);

export const IdentityRegistries = enumType<string>(
  'IdentityRegistry',
  "A registry with records about a person's identity.",
  {
    HOUSING_FUND: '`credit` (NSS, CURP, RFC, names) and `housingAccount` (NSS).',
    POPULATION_REGISTRY: '`identity` (CURP, names, date of birth, sex).',
    EDUCATION_MINISTRY:
      '`licences` (names, sex and, in some records, CURP; those that `match: EXACT` keeps) and `professionalStatus` (CURP).',
  },
);

export type ConsistencyStatus = 'CONSISTENT' | 'CONFLICTING' | 'INSUFFICIENT';

const ConsistencyStatuses = enumType<ConsistencyStatus>(
  'ConsistencyStatus',
  'Whether the answers of one operation are about one person.',
  {
    CONSISTENT: `Three conditions are met. Nothing differs. Two independent sources (you or a registry) have the same CURP, or the same names and
first surname; a value that a registry only repeats from the question does not count. The answers link each identifier and the name that you
gave. If you gave an NSS, this needs an answer of \`credit\`, because \`housingAccount\` returns only the NSS.`,
    CONFLICTING:
      'Something differs: the identifiers or the answers may belong to different people. Do not base a decision on them.',
    INSUFFICIENT: 'Nothing differs, but too little was asked or answered to say that this is one person.',
  },
);

/** Names of these registries in messages. */
export const registryNames: Record<string, Text> = {
  HOUSING_FUND: { english: 'the housing fund', spanish: 'el Infonavit' },
  POPULATION_REGISTRY: { english: 'the population registry', spanish: 'el Renapo' },
  EDUCATION_MINISTRY: { english: 'the education ministry', spanish: 'la SEP' },
};

/** Identity registries by the names of registries. Two endpoints of one registry are not independent sources. */
const identityRegistries: Readonly<Record<string, string>> = {
  housing: 'HOUSING_FUND',
  population: 'POPULATION_REGISTRY',
  education: 'EDUCATION_MINISTRY',
};

/** Returns the identity registry of a registry. One of an endpoint file is added to the graph. */
export function identityRegistryOf(registry: string, names: Text, coordinate: string): string {
  if (Object.hasOwn(identityRegistries, registry)) return identityRegistries[registry] ?? registry;
  const added = registry.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').toUpperCase();
  addEnumValue(IdentityRegistries, added, `\`${coordinate}\`.`);
  registryNames[added] = names;
  return added;
}

@Output("What the registries say about one part of a person's identity. It names registries, never values.")
export class IdentityFieldConsistency extends fields({
  field: nonNull(IdentityFields, 'Which part.'),
  provided: nonNull(
    Boolean,
    'Whether you gave it (date of birth and sex: by the CURP that you gave). Registries are then compared with it.',
  ),
  agree: nonNull(
    [IdentityRegistries],
    'Registries that have the value that you gave. If you gave none: registries that have the most frequent value.',
  ),
  writtenDifferently: nonNull(
    [IdentityRegistries],
    'Registries that write the same name in another way, such as MA. for MARÍA: neither in `agree` nor in `differ`.',
  ),
  differ: nonNull(
    [IdentityRegistries],
    'Registries that have another value. If you gave none and no value is the most frequent: all of them.',
  ),
  silent: nonNull(
    [IdentityRegistries],
    'Registries of this operation without a value: they have none, failed, or were not called.',
  ),
}) {}

@Output(
  `What the lookups of one operation show together: whether they are about one person. Evidence for an identity check (KYC), but not a proof: people share names, and registries contain errors.`,
)
export class PersonConsistency extends fields({
  status: nonNull(ConsistencyStatuses, 'The result in one word.'),
  fields: nonNull([IdentityFieldConsistency], 'One entry for each value of `IdentityField`, in its order.'),
}) {}

export const spanishNames = {
  agree: 'coinciden',
  consistency: 'concordancia',
  differ: 'difieren',
  field: 'dato',
  identifiers: 'identificadores',
  person: 'persona',
  provided: 'proporcionado',
  silent: 'sin dato',
  writtenDifferently: 'lo escriben de otra forma',
};
