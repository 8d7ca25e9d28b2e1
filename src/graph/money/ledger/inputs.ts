import { Field, ID, InputType } from 'type-graphql';
import { RegistryBilling } from '../../core/lookup/types';
import {
  CertificateFolio,
  Curp,
  DateTime,
  EmployerRegistration,
  LicenceNumber,
  Nss,
  Rfc,
} from '../../core/scalars/scalars';
import { PersonNameInput } from '../../domains/person/types';

@InputType({ description: 'Filter of the ledger. An entry has to match all fields.' })
export class RegistryLedgerFilter {
  @Field(() => DateTime, {
    nullable: true,
    description: 'Start of the interval, included. A day such as `2026-11-01` begins at midnight in `TIME_ZONE`.',
  })
  readonly from?: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'End of the interval, excluded. A day such as `2026-11-01` begins at midnight in `TIME_ZONE`.',
  })
  readonly to?: string | null;

  @Field(() => String, { nullable: true, description: 'Entries of this client.' })
  readonly client?: string | null;

  @Field(() => String, { nullable: true, description: 'Entries with this tag.' })
  readonly tag?: string | null;

  @Field(() => String, { nullable: true, description: 'Entries of operations with this name.' })
  readonly operation?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Entries of this endpoint: method and path, for example `POST /api/infonavit/grupo/buscar-credito`.',
  })
  readonly endpoint?: string | null;

  @Field(() => ID, { nullable: true, description: 'Entries of this batch.' })
  readonly batch?: string | null;

  @Field(() => RegistryBilling, {
    nullable: true,
    description: 'Billing at the time of the call, regardless of later settlements.',
  })
  readonly billing?: keyof typeof RegistryBilling | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: entries whose billing is UNKNOWN and not settled. False: all other entries.',
  })
  readonly unsettled?: boolean | null;
}

@InputType({
  description: 'A person or an employer, by any identifiers that you have. Entries linked to any of them are found.',
})
export class RegistrySubjectInput {
  @Field(() => Nss, { nullable: true, description: 'Social security number.' })
  readonly nss?: string | null;

  @Field(() => Curp, { nullable: true, description: 'Population registry code.' })
  readonly curp?: string | null;

  @Field(() => Rfc, { nullable: true, description: 'Taxpayer code.' })
  readonly rfc?: string | null;

  @Field(() => EmployerRegistration, { nullable: true, description: 'Employer registration.' })
  readonly registration?: string | null;

  @Field(() => LicenceNumber, { nullable: true, description: 'Professional licence number.' })
  readonly licence?: string | null;

  @Field(() => CertificateFolio, { nullable: true, description: 'Folio of a study certificate.' })
  readonly certificate?: string | null;

  @Field(() => PersonNameInput, {
    nullable: true,
    description:
      'A name that was used to search licences. Case and accents are ignored. People with the same name are found too.',
  })
  readonly name?: PersonNameInput | null;
}

@InputType({ description: "Billing of one call according to the service's statement." })
export class RegistryBillingInput {
  @Field(() => ID, { description: 'The entry of the ledger. Its billing must be UNKNOWN.' })
  readonly id: string;

  @Field(() => RegistryBilling, { description: 'CHARGED or NOT_CHARGED.' })
  readonly billing: keyof typeof RegistryBilling;

  @Field(() => String, {
    nullable: true,
    description:
      'A note for accounting, for example `January, line 12`. At most 100 characters, and no identifier or e-mail address of a person.',
  })
  readonly note?: string | null;
}
