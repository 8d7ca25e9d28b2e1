import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { DateScalar, DateTime, Decimal, EmployerRegistration, YearMonth } from '../../core/scalars/scalars';

export const OpinionSense = {
  POSITIVE: 'POSITIVE',
  NEGATIVE: 'NEGATIVE',
  NO_OPINION: 'NO_OPINION',
} as const;

export type OpinionSense = keyof typeof OpinionSense;

registerEnumType(OpinionSense, {
  name: 'OpinionSense',
  description: 'Result of a 32-D opinion: whether the employer is up to date with its contributions.',
  valuesConfig: {
    POSITIVE: { description: 'Positiva: the employer is up to date with its obligations.' },
    NEGATIVE: { description: 'Negativa: the employer is not up to date. See `credits`.' },
    NO_OPINION: {
      description:
        'Sin opinión: the institute has nothing to judge, as no registration is found, all are closed, or none has workers. This is neither good nor bad.',
    },
  },
});

@ObjectType({ description: 'A fiscal credit: what an employer owes for one month under one registration.' })
export class FiscalCredit {
  @Field(() => YearMonth, { description: 'The month that is owed.' })
  readonly period: string;

  @Field(() => EmployerRegistration, { description: 'The registration under which it is owed.' })
  readonly registration: string;

  @Field(() => Decimal, { description: 'Amount in Mexican pesos.' })
  readonly amount: string;
}

@ObjectType({ description: 'Content of a 32-D opinion, as printed in its PDF.' })
export class ComplianceOpinion {
  @Field(() => OpinionSense, { description: 'Whether the employer complies. No other field states this.' })
  readonly sense: OpinionSense;

  @Field(() => DateScalar, { description: 'The day of issue in Mexico City.' })
  readonly issuedOn: string;

  @Field(() => DateTime, { description: 'The last moment of its validity, as the document states it.' })
  readonly validUntil: Date;

  @Field(() => String, { nullable: true, description: 'The folio of the document, if it has one.' })
  readonly folio: string | null;

  @Field(() => [FiscalCredit], {
    nullable: true,
    description:
      'The fiscal credits that the document lists. Empty if it lists none. Null if padron does not understand the whole list: then read `document`.',
  })
  readonly credits: readonly FiscalCredit[] | null;
}

export const spanishNames = {
  credits: 'créditos',
  issuedOn: 'fecha de emisión',
  sense: 'sentido',
};
