import { Directive, Field, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { Curp, Nss } from '../../core/scalars/scalars';
import type { IdentityField, IdentityRegistry } from './facts';
import type { IdentityCollector } from './identity-collector';

@InputType({ description: "A person's name, as registries split it." })
export class PersonNameInput {
  @Field(() => String, { description: 'First name or names (`nombres`).' })
  readonly names: string;

  @Field(() => String, { description: 'First surname (`paterno`).' })
  readonly paternalSurname: string;

  @Field(() => String, { nullable: true, description: 'Second surname (`materno`), if the person has one.' })
  readonly maternalSurname?: string | null;
}

@Directive('@key(fields: "nss")')
@Directive('@key(fields: "curp")')
@ObjectType({
  description: `A person across registries. If a field needs an identifier that you did not give, padron looks it up once, in the registry that
knows it (name and CURP through the housing fund by NSS; name through the population registry by CURP): a paid call like any other, included in the estimate. If no registry has it, the outcome is NOT_RUN with the problem MISSING_IDENTIFIER.
Each answer is compared with the identifiers and the name that you gave. An answer that contradicts them has the problem IDENTITY_CONFLICT:
its record may belong to another person, and padron takes no identifier from it.`,
})
export class Person {
  @Field(() => Nss, { nullable: true, description: 'Social security number, as given: never looked up.' })
  readonly nss: string | null;

  @Field(() => Curp, {
    nullable: true,
    description:
      'Population registry code, as given: never looked up. Null if the person was queried by NSS: then do not use CURP as the key of another subgraph.',
  })
  readonly curp: string | null;

  /** Name that the caller provided. It is not a field of the graph. */
  readonly name: PersonNameInput | null;

  /** Collector of the answers about this person. It is not a field of the graph. */
  readonly collector: IdentityCollector;
}

export const IdentityFields = {
  NSS: 'NSS',
  CURP: 'CURP',
  RFC: 'RFC',
  NAMES: 'NAMES',
  PATERNAL_SURNAME: 'PATERNAL_SURNAME',
  MATERNAL_SURNAME: 'MATERNAL_SURNAME',
  BIRTH_DATE: 'BIRTH_DATE',
  SEX: 'SEX',
} as const satisfies Record<IdentityField, IdentityField>;

registerEnumType(IdentityFields, {
  name: 'IdentityField',
  description: `Parts of an identity. Names compare as \`match: EXACT\` of the licences compares them: case, accents and
Ñ/N aside, each part whole (MARÍA is not MARÍA FERNANDA, LÓPEZ is not LÓPEZ PORTILLO), a second surname only where both sides have one.`,
  valuesConfig: {
    NSS: { description: 'Social security number.' },
    CURP: { description: 'Population registry code.' },
    RFC: { description: 'Taxpayer code of a person. Compared by the date of birth that it contains.' },
    NAMES: { description: 'First name or names.' },
    PATERNAL_SURNAME: { description: 'First surname.' },
    MATERNAL_SURNAME: { description: 'Second surname. A registry without one contradicts nothing.' },
    BIRTH_DATE: { description: 'Date of birth in the record, or else in its CURP.' },
    SEX: { description: 'Sex in the record, or else in its CURP. A CURP with X contradicts nothing.' },
  },
});

export const IdentityRegistries = {
  HOUSING_FUND: 'HOUSING_FUND',
  POPULATION_REGISTRY: 'POPULATION_REGISTRY',
  EDUCATION_MINISTRY: 'EDUCATION_MINISTRY',
} as const satisfies Record<IdentityRegistry, IdentityRegistry>;

registerEnumType(IdentityRegistries, {
  name: 'IdentityRegistry',
  description: "A registry with records about a person's identity.",
  valuesConfig: {
    HOUSING_FUND: { description: '`credit` (NSS, CURP, RFC, names) and `housingAccount` (NSS).' },
    POPULATION_REGISTRY: { description: '`identity` (CURP, names, date of birth, sex).' },
    EDUCATION_MINISTRY: {
      description:
        '`licences` (names, sex and, in some records, CURP; those that `match: EXACT` keeps) and `professionalStatus` (CURP).',
    },
  },
});

export type ConsistencyStatus = 'CONSISTENT' | 'CONFLICTING' | 'INSUFFICIENT';

const ConsistencyStatuses = {
  CONSISTENT: 'CONSISTENT',
  CONFLICTING: 'CONFLICTING',
  INSUFFICIENT: 'INSUFFICIENT',
} as const satisfies Record<ConsistencyStatus, ConsistencyStatus>;

registerEnumType(ConsistencyStatuses, {
  name: 'ConsistencyStatus',
  description: 'Whether the answers of one operation are about one person.',
  valuesConfig: {
    CONSISTENT: {
      description: `Three conditions are met. Nothing differs. Two independent sources (you or a registry) have the same CURP, or the same names and
first surname; a value that a registry only repeats from the question does not count. The answers link each identifier and the name that you
gave. If you gave an NSS, this needs an answer of \`credit\`, because \`housingAccount\` returns only the NSS.`,
    },
    CONFLICTING: {
      description:
        'Something differs: the identifiers or the answers may belong to different people. Do not base a decision on them.',
    },
    INSUFFICIENT: {
      description: 'Nothing differs, but too little was asked or answered to say that this is one person.',
    },
  },
});

@ObjectType({
  description: "What the registries say about one part of a person's identity. It names registries, never values.",
})
export class IdentityFieldConsistency {
  @Field(() => IdentityFields, { description: 'Which part.' })
  readonly field: IdentityField;

  @Field(() => Boolean, {
    description:
      'Whether you gave it (date of birth and sex: by the CURP that you gave). Registries are then compared with it.',
  })
  readonly provided: boolean;

  @Field(() => [IdentityRegistries], {
    description:
      'Registries that have the value that you gave. If you gave none: registries that have the most frequent value.',
  })
  readonly agree: readonly IdentityRegistry[];

  @Field(() => [IdentityRegistries], {
    description: 'Registries that have another value. If you gave none and no value is the most frequent: all of them.',
  })
  readonly differ: readonly IdentityRegistry[];

  @Field(() => [IdentityRegistries], {
    description: 'Registries of this operation without a value: they have none, failed, or were not called.',
  })
  readonly silent: readonly IdentityRegistry[];
}

@ObjectType({
  description: `What the lookups of one operation show together: whether they are about one person. Evidence for an identity check (KYC), but not a proof: people share names, and registries contain errors.`,
})
export class PersonConsistency {
  @Field(() => ConsistencyStatuses, { description: 'The result in one word.' })
  readonly status: ConsistencyStatus;

  @Field(() => [IdentityFieldConsistency], {
    description: 'One entry for each value of `IdentityField`, in its order.',
  })
  readonly fields: readonly IdentityFieldConsistency[];
}

export const spanishNames = {
  agree: 'coinciden',
  consistency: 'concordancia',
  differ: 'difieren',
  field: 'dato',
  person: 'persona',
  provided: 'proporcionado',
  silent: 'sin dato',
};
