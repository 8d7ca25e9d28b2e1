import { Field, ID, InputType } from 'type-graphql';
import { RegistryBilling } from '../lookup/types';
import { PersonNameInput } from '../person/types';
import { CertificateFolio, Curp, DateTime, EmployerRegistration, LicenceNumber, Nss, Rfc } from '../scalars/scalars';

@InputType({ description: 'Which entries of the ledger: those for which all of this holds.' })
export class RegistryLedgerFilter {
  @Field(() => DateTime, { nullable: true, description: 'From this instant on, itself included.' })
  readonly from?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Up to this instant, itself excluded.' })
  readonly to?: string | null;

  @Field(() => String, { nullable: true, description: 'Of this client.' })
  readonly client?: string | null;

  @Field(() => String, { nullable: true, description: 'With this tag.' })
  readonly tag?: string | null;

  @Field(() => String, { nullable: true, description: 'Of operations of this name.' })
  readonly operation?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Method and path, for example `POST /api/infonavit/grupo/buscar-credito`.',
  })
  readonly endpoint?: string | null;

  @Field(() => ID, { nullable: true, description: 'Of this batch.' })
  readonly batch?: string | null;

  @Field(() => RegistryBilling, {
    nullable: true,
    description: 'With this billing at the call, whatever was settled later.',
  })
  readonly billing?: keyof typeof RegistryBilling | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: those whose billing is UNKNOWN and not settled. False: all others.',
  })
  readonly unsettled?: boolean | null;
}

@InputType({
  description: 'One person or employer, by any identifiers that you hold. What is linked to one of them is found.',
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
      'A name that a search of licences was made with: case and accents do not matter. Namesakes are found too.',
  })
  readonly name?: PersonNameInput | null;
}

@InputType({ description: "What the service's statement says of one call." })
export class RegistryBillingInput {
  @Field(() => ID, { description: 'The entry of the ledger. Its billing must be UNKNOWN.' })
  readonly id: string;

  @Field(() => RegistryBilling, { description: 'CHARGED or NOT_CHARGED.' })
  readonly billing: keyof typeof RegistryBilling;

  @Field(() => String, {
    nullable: true,
    description:
      'A note for the books, for example `January, line 12`: 100 characters at most, and no identifier of a person.',
  })
  readonly note?: string | null;
}
