import { enumType, fields, nonNull, nullable, Output } from '../../core/fields';
import { DateScalar, DateTime, Decimal, EmployerRegistration, YearMonth } from '../../core/scalars/scalars';

export const OpinionSense = enumType(
  'OpinionSense',
  'Result of a 32-D opinion: whether the employer is up to date with its contributions.',
  {
    POSITIVE: 'Positiva: the employer is up to date with its obligations.',
    NEGATIVE: 'Negativa: the employer is not up to date. See `credits`.',
    NO_OPINION:
      'Sin opinión: the institute has nothing to judge, as no registration is found, all are closed, or none has workers. This is neither good nor bad.',
  },
);

export type OpinionSense = keyof typeof OpinionSense;

@Output('A fiscal credit: what an employer owes for one month under one registration.')
export class FiscalCredit extends fields({
  period: nonNull(YearMonth, 'The month that is owed.'),
  registration: nonNull(EmployerRegistration, 'The registration under which it is owed.'),
  amount: nonNull(Decimal, 'Amount in Mexican pesos.'),
}) {}

@Output('Content of a 32-D opinion, as printed in its PDF.')
export class ComplianceOpinion extends fields({
  sense: nonNull(OpinionSense, 'Whether the employer complies. No other field states this.'),
  issuedOn: nonNull(DateScalar, 'The day of issue in Mexico City.'),
  validUntil: nonNull<Date>(DateTime, 'The last moment of its validity, as the document states it.'),
  folio: nullable(String, 'The folio of the document, if it has one.'),
  credits: nullable(
    [FiscalCredit],
    'The fiscal credits that the document lists. Empty if it lists none. Null if padron does not understand the whole list: then read `document`.',
  ),
}) {}

export const spanishNames = { credits: 'créditos', issuedOn: 'fecha de emisión', sense: 'sentido' };
