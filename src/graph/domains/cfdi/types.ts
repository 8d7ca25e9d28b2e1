import { Field, ObjectType } from 'type-graphql';
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

@ObjectType({ description: 'Issuer or receiver of a CFDI.' })
export class CfdiParty {
  @Field(() => Rfc, { description: 'Taxpayer code (`Rfc`); may be a generic one.' })
  readonly rfc: string;

  @Field(() => String, { nullable: true, description: 'Name or business name (`Nombre`).' })
  readonly name: string | null;
}

@ObjectType({ description: 'A line of a CFDI.' })
export class CfdiConcept {
  @Field(() => String, { description: 'What it is for (`Descripcion`), for example `Cuotas IMSS`.' })
  readonly description: string;

  @Field(() => Decimal, { description: 'Its amount before discounts and taxes (`Importe`).' })
  readonly amount: string;
}

@ObjectType({
  description:
    'Content of a CFDI (4.0 or 3.3). padron does not verify its seals, and does not check whether it was cancelled: ask the tax authority, with `uuid`.',
})
export class Cfdi {
  @Field(() => String, { description: 'Fiscal folio, upper case (`TimbreFiscalDigital.UUID`).' })
  readonly uuid: string;

  @Field(() => String, {
    nullable: true,
    description:
      "The issuer's folio (`Folio`). In the institute's receipts it consists of period, registration, day and receipt folio.",
  })
  readonly folio: string | null;

  @Field(() => LocalDateTime, { description: 'When it was issued, in local time at the place of issue (`Fecha`).' })
  readonly issuedAt: string;

  @Field(() => LocalDateTime, {
    description: 'When it was certified, in Mexico City time (`TimbreFiscalDigital.FechaTimbrado`).',
  })
  readonly certifiedAt: string;

  @Field(() => CfdiParty, { description: 'Who issued it (`Emisor`).' })
  readonly issuer: CfdiParty;

  @Field(() => CfdiParty, { description: 'Whom it was issued to (`Receptor`): the employer.' })
  readonly receiver: CfdiParty;

  @Field(() => Decimal, { description: 'Total amount (`Total`).' })
  readonly total: string;

  @Field(() => String, { description: 'Currency of all its amounts (`Moneda`), ISO 4217.' })
  readonly currency: string;

  @Field(() => [CfdiConcept], { description: 'Its lines (`Conceptos`), at least one.' })
  readonly concepts: readonly CfdiConcept[];
}

export const spanishNames = {
  cfdiProblem: 'problema del CFDI',
  concepts: 'conceptos',
  receiver: 'receptor',
  total: 'total',
};
