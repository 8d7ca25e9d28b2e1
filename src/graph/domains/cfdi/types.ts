import { fields, nonNull, nullable, Output } from '../../core/fields';
import { Decimal, LocalDateTime, Rfc } from '../../core/scalars/scalars';

/** Data of a receipt from the list and the request, which its CFDI is compared with. */
export interface ExpectedReceipt {
  readonly registration: string;
  readonly period: string;
  readonly folio: string;
  /** Amount in the list, or null if the list was not requested. */
  readonly amount: string | null;
  /** Part of the answer that describes the file. It is the same object each time the answer is reused. */
  readonly source: object;
}

@Output('Issuer or receiver of a CFDI.')
export class CfdiParty extends fields({
  rfc: nonNull(Rfc, 'Taxpayer code (`Rfc`); may be a generic one.'),
  name: nullable(String, 'Name or business name (`Nombre`).'),
}) {}

@Output('A line of a CFDI.')
export class CfdiConcept extends fields({
  description: nonNull(String, 'What it is for (`Descripcion`), for example `Cuotas IMSS`.'),
  amount: nonNull(Decimal, 'Its amount before discounts and taxes (`Importe`).'),
}) {}

@Output(
  'Content of a CFDI (4.0 or 3.3). padron does not verify its seals, and does not check whether it was cancelled: ask the tax authority, with `uuid`.',
)
export class Cfdi extends fields({
  uuid: nonNull(String, 'Fiscal folio, upper case (`TimbreFiscalDigital.UUID`).'),
  folio: nullable(
    String,
    "The issuer's folio (`Folio`). In the institute's receipts it consists of period, registration, day and receipt folio.",
  ),
  issuedAt: nonNull(LocalDateTime, 'When it was issued, in local time at the place of issue (`Fecha`).'),
  certifiedAt: nonNull(
    LocalDateTime,
    'When it was certified, in Mexico City time (`TimbreFiscalDigital.FechaTimbrado`).',
  ),
  issuer: nonNull(CfdiParty, 'Who issued it (`Emisor`).'),
  receiver: nonNull(CfdiParty, 'Whom it was issued to (`Receptor`): the employer.'),
  total: nonNull(Decimal, 'Total amount (`Total`).'),
  currency: nonNull(String, 'Currency of all its amounts (`Moneda`), ISO 4217.'),
  concepts: nonNull([CfdiConcept], 'Its lines (`Conceptos`), at least one.'),
}) {}

export const spanishNames = {
  cfdiProblem: 'problema del CFDI',
  concepts: 'conceptos',
  receiver: 'receptor',
  total: 'total',
};
