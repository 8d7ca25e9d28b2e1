import { Field, Int, ObjectType } from 'type-graphql';
import { RegistryLookup } from '../../core/lookup/types';
import { Curp, DateScalar, Decimal, Nss, Rfc } from '../../core/scalars/scalars';

@ObjectType({ description: "The housing fund's (Infonavit) records about a person and their credit." })
export class HousingCredit {
  @Field(() => Nss, { nullable: true, description: 'Social security number (`nss`).' })
  readonly nss: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the person has a credit: `estatus_credito` is AC; false when it is null or empty; null for a status that is not documented.',
  })
  readonly hasCredit: boolean | null;

  @Field(() => String, { nullable: true, description: '`estatus_credito`, unchanged.' })
  readonly status: string | null;

  @Field(() => String, { nullable: true, description: 'Situation of the credit in words (`situacioncredito`).' })
  readonly situation: string | null;

  @Field(() => String, { nullable: true, description: 'Credit number (`num_credito`).' })
  readonly number: string | null;

  @Field(() => String, { nullable: true, description: 'Currency or unit the credit is kept in (`moneda`).' })
  readonly currency: string | null;

  @Field(() => String, { nullable: true, description: 'Modality of the credit (`tipo_credito`).' })
  readonly kind: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'ROA (ordinary, the employer withholds) or REA (special, the worker pays). `regimen`.',
  })
  readonly regime: string | null;

  @Field(() => String, { nullable: true, description: 'Loan pool (`pool`).' })
  readonly pool: string | null;

  @Field(() => Int, { nullable: true, description: 'Total months without a contribution (`mesesomisos`).' })
  readonly monthsWithoutContribution: number | null;

  @Field(() => String, { nullable: true, description: 'Credit product (`producto`).' })
  readonly product: string | null;

  @Field(() => String, { nullable: true, description: 'First name or names of the person (`nombre`).' })
  readonly names: string | null;

  @Field(() => String, { nullable: true, description: 'First surname (`apPaterno`).' })
  readonly paternalSurname: string | null;

  @Field(() => String, { nullable: true, description: 'Second surname (`apMaterno`).' })
  readonly maternalSurname: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day the credit was granted (`fechaOrigen`).' })
  readonly openedOn: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'Day the credit was closed (`fechaCierre`). Null while the credit is active.',
  })
  readonly closedOn: string | null;

  @Field(() => String, { nullable: true, description: 'Personal e-mail (`emailPersonal`).' })
  readonly email: string | null;

  @Field(() => String, { nullable: true, description: 'Mobile phone (`telefonoCelular`).' })
  readonly mobilePhone: string | null;

  @Field(() => Rfc, { nullable: true, description: 'Taxpayer code of the person (`rfc`).' })
  readonly rfc: string | null;

  @Field(() => Curp, { nullable: true, description: 'Population registry code of the person (`scurp`).' })
  readonly curp: string | null;
}

@ObjectType({ implements: RegistryLookup, description: "The housing fund's answer about one person's credit." })
export class HousingCreditLookup extends RegistryLookup {
  @Field(() => HousingCredit, {
    nullable: true,
    description:
      'The person and their credit; null unless FOUND. A person without a credit is FOUND, with `hasCredit` false.',
  })
  readonly record: HousingCredit | null;
}

@ObjectType({ description: 'Balances of the housing sub-account. Amounts are in Mexican pesos.' })
export class HousingAccount {
  @Field(() => Nss, { nullable: true, description: 'Social security number (`NSS`, zeros restored).' })
  readonly nss: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Total balance (`saldoSARTotal`).' })
  readonly totalBalance: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Previous balance (`saldoAnterior`).' })
  readonly previousBalance: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Contributions before the 1997 reform (`saldoSAR92`).' })
  readonly balance92: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Contributions after the 1997 reform (`saldoSAR97`).' })
  readonly balance97: string | null;

  @Field(() => String, { nullable: true, description: 'Two-month period of the last contribution (`bimestre`).' })
  readonly bimester: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Payment date (`fechaPago`), unchanged. Its format is not documented.',
  })
  readonly paidOn: string | null;

  @Field(() => String, { nullable: true, description: 'Company that contributed (`nombreEmpresa`).' })
  readonly employerName: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Last contribution (`aportacion`).' })
  readonly contribution: string | null;
}

@ObjectType({ implements: RegistryLookup, description: "The housing fund's answer about one person's sub-account." })
export class HousingAccountLookup extends RegistryLookup {
  @Field(() => HousingAccount, { nullable: true, description: 'The sub-account; null unless FOUND.' })
  readonly record: HousingAccount | null;
}

export const spanishNames = {
  balance92: 'saldo SAR 92',
  balance97: 'saldo SAR 97',
  bimester: 'bimestre',
  closedOn: 'fecha de cierre',
  contribution: 'aportación',
  credit: 'crédito',
  email: 'correo electrónico',
  employerName: 'nombre de la empresa',
  hasCredit: 'tiene crédito',
  housingAccount: 'subcuenta de vivienda',
  mobilePhone: 'teléfono celular',
  monthsWithoutContribution: 'meses sin aportación',
  openedOn: 'fecha de origen',
  pool: 'bolsa',
  previousBalance: 'saldo anterior',
  product: 'producto',
  regime: 'régimen',
  situation: 'situación',
  totalBalance: 'saldo total',
};
