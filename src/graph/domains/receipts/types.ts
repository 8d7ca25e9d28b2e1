import { Field, Int, ObjectType } from 'type-graphql';
import { RegistryLookup } from '../../core/lookup/types';
import { DateScalar, Decimal, YearMonth } from '../../core/scalars/scalars';
import { Employer } from '../employer/types';
import { RegistryFile } from '../files/types';

@ObjectType({ description: 'A tax receipt (CFDI) for the contributions that an employer paid for one month.' })
export class EmployerReceipt {
  @Field(() => Employer, { description: 'The employer registration that the receipt belongs to.' })
  readonly employer: Employer;

  @Field(() => YearMonth, { description: 'The requested month.' })
  readonly period: string;

  @Field(() => String, { description: 'Receipt folio, digits with their leading zeros (`folio_sua`).' })
  readonly folio: string;

  @Field(() => DateScalar, { nullable: true, description: 'Day of payment (`fecha_pago`).' })
  readonly paidOn: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Amount in Mexican pesos (`importe`).' })
  readonly amount: string | null;

  @Field(() => String, { nullable: true, description: 'Amount as currency text (`importe_texto`).' })
  readonly amountText: string | null;

  @Field(() => String, { nullable: true, description: 'Amount in Spanish words (`importe_spell`).' })
  readonly amountInWords: string | null;
}

@ObjectType({ implements: RegistryLookup, description: 'The receipts of one month.' })
export class ReceiptsLookup extends RegistryLookup {
  @Field(() => YearMonth, { description: 'The requested month.' })
  readonly period: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of receipts of the month (`meta.count`, or the length of the list if that is missing). 0 if NOT_FOUND, null if the question has no answer.',
  })
  readonly count: number | null;

  @Field(() => [String], { description: "The service's warnings (`meta.warnings`), unchanged." })
  readonly warnings: readonly string[];

  @Field(() => [EmployerReceipt], {
    nullable: true,
    description: 'Receipts found. Empty if NOT_FOUND, null if the question has no answer.',
  })
  readonly records: readonly EmployerReceipt[] | null;
}

@ObjectType({ implements: RegistryLookup, description: 'The files of one receipt.' })
export class ReceiptFilesLookup extends RegistryLookup {
  @Field(() => [String], { description: "The service's warnings (`meta.warnings`), unchanged." })
  readonly warnings: readonly string[];

  @Field(() => String, { nullable: true, description: '`meta.cache_store`.' })
  readonly cacheStore: string | null;

  @Field(() => RegistryFile, {
    nullable: true,
    description: 'The printed receipt (`files.pdf`). `xml { cfdi }` has the same content as data.',
  })
  readonly pdf: RegistryFile | null;

  @Field(() => RegistryFile, {
    nullable: true,
    description: 'The tax document itself, a CFDI (`files.xml`): `cfdi` has its content.',
  })
  readonly xml: RegistryFile | null;
}

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
