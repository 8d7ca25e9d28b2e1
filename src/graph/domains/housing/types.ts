import { Int } from 'type-graphql';
import { fields, nullable, Output } from '../../core/fields';
import { lookupFields } from '../../core/lookup/types';
import { Curp, DateScalar, Decimal, Nss, Rfc } from '../../core/scalars/scalars';

@Output('A name as it was received. `evidence` proves these letters.')
export class ReceivedName extends fields({
  names: nullable(String, 'First name or names.'),
  paternalSurname: nullable(String, 'First surname.'),
  maternalSurname: nullable(String, 'Second surname.'),
}) {}

@Output("The housing fund's (Infonavit) records about a person and their credit.")
export class HousingCredit extends fields({
  nss: nullable(Nss, 'Social security number (`nss`).'),
  hasCredit: nullable(
    Boolean,
    'Whether the person has a credit: `estatus_credito` is AC; false when it is null or empty; null for a status that is not documented.',
  ),
  status: nullable(String, '`estatus_credito`, unchanged.'),
  situation: nullable(String, 'Situation of the credit in words (`situacioncredito`).'),
  number: nullable(String, 'Credit number (`num_credito`).'),
  currency: nullable(String, 'Currency or unit the credit is kept in (`moneda`).'),
  kind: nullable(String, 'Modality of the credit (`tipo_credito`).'),
  regime: nullable(String, 'ROA (ordinary, the employer withholds) or REA (special, the worker pays). `regimen`.'),
  pool: nullable(String, 'Loan pool (`pool`).'),
  monthsWithoutContribution: nullable(Int, 'Total months without a contribution (`mesesomisos`).'),
  product: nullable(String, 'Credit product (`producto`).'),
  names: nullable(String, 'First name or names of the person (`nombre`).'),
  paternalSurname: nullable(String, 'First surname (`apPaterno`).'),
  maternalSurname: nullable(String, 'Second surname (`apMaterno`).'),
  received: nullable(
    ReceivedName,
    'The name as it was received, if padron restored a letter Ñ that the fund wrote as `#`. Null if it shows the name as received.',
  ),
  openedOn: nullable(DateScalar, 'Day the credit was granted (`fechaOrigen`).'),
  closedOn: nullable(DateScalar, 'Day the credit was closed (`fechaCierre`). Null while the credit is active.'),
  email: nullable(String, 'Personal e-mail (`emailPersonal`).'),
  mobilePhone: nullable(String, 'Mobile phone (`telefonoCelular`).'),
  rfc: nullable(Rfc, 'Taxpayer code of the person (`rfc`).'),
  curp: nullable(Curp, 'Population registry code of the person (`scurp`).'),
}) {}

@Output("The housing fund's answer about one person's credit.")
export class HousingCreditLookup extends lookupFields({
  record: nullable(
    HousingCredit,
    'The person and their credit; null unless FOUND. A person without a credit is FOUND, with `hasCredit` false.',
  ),
}) {}

@Output('Balances of the housing sub-account. Amounts are in Mexican pesos.')
export class HousingAccount extends fields({
  nss: nullable(Nss, 'Social security number (`NSS`, zeros restored).'),
  totalBalance: nullable(Decimal, 'Total balance (`saldoSARTotal`).'),
  previousBalance: nullable(Decimal, 'Previous balance (`saldoAnterior`).'),
  balance92: nullable(Decimal, 'Contributions before the 1997 reform (`saldoSAR92`).'),
  balance97: nullable(Decimal, 'Contributions after the 1997 reform (`saldoSAR97`).'),
  bimester: nullable(String, 'Two-month period of the last contribution (`bimestre`).'),
  paidOn: nullable(String, 'Payment date (`fechaPago`), unchanged. Its format is not documented.'),
  employerName: nullable(String, 'Company that contributed (`nombreEmpresa`).'),
  contribution: nullable(Decimal, 'Last contribution (`aportacion`).'),
}) {}

@Output("The housing fund's answer about one person's sub-account.")
export class HousingAccountLookup extends lookupFields({
  record: nullable(HousingAccount, 'The sub-account; null unless FOUND.'),
}) {}

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
  received: 'nombre recibido',
  regime: 'régimen',
  situation: 'situación',
  totalBalance: 'saldo total',
};
