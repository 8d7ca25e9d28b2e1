import { Int } from 'type-graphql';
import { fields, nonNull, nullable, Output } from '../../core/fields';
import { lookupFields } from '../../core/lookup/types';
import { DateScalar, Decimal, YearMonth } from '../../core/scalars/scalars';
import { Employer } from '../employer/types';
import { RegistryFile } from '../files/types';

@Output('A tax receipt (CFDI) for the contributions that an employer paid for one month.')
export class EmployerReceipt extends fields({
  employer: nonNull(Employer, 'The employer registration that the receipt belongs to.'),
  period: nonNull(YearMonth, 'The requested month.'),
  folio: nullable(String, 'Receipt folio, digits with their leading zeros (`folio_sua`).'),
  paidOn: nullable(DateScalar, 'Day of payment (`fecha_pago`).'),
  amount: nullable(Decimal, 'Amount in Mexican pesos (`importe`).'),
  amountText: nullable(String, 'Amount as currency text (`importe_texto`).'),
  amountInWords: nullable(String, 'Amount in Spanish words (`importe_spell`).'),
}) {}

@Output('The receipts of one month.')
export class ReceiptsLookup extends lookupFields({
  period: nonNull(YearMonth, 'The requested month.'),
  count: nullable(
    Int,
    'Number of receipts of the month (`meta.count`, or the length of the list if that is missing). 0 if NOT_FOUND, null if the question has no answer.',
  ),
  warnings: nonNull([String], "The service's warnings (`meta.warnings`), unchanged."),
  records: nullable(
    [EmployerReceipt],
    'Receipts found. Empty if NOT_FOUND, null if the question has no answer or the list cannot be read.',
  ),
}) {}

@Output('The files of one receipt.')
export class ReceiptFilesLookup extends lookupFields({
  warnings: nonNull([String], "The service's warnings (`meta.warnings`), unchanged."),
  cacheStore: nullable(String, '`meta.cache_store`.'),
  pdf: nullable(RegistryFile, 'The printed receipt (`files.pdf`). `xml { cfdi }` has the same content as data.'),
  xml: nullable(RegistryFile, 'The tax document itself, a CFDI (`files.xml`): `cfdi` has its content.'),
}) {}

export const spanishNames = {
  amountInWords: 'importe con letra',
  amountText: 'importe en texto',
  cacheStore: 'almacén de caché',
  count: 'cantidad',
  files: 'archivos',
  receiptFiles: 'archivos del recibo',
  receipts: 'recibos',
  receiptsBetween: 'recibos del intervalo',
};
