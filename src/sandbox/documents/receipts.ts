import type { Employer } from '../data/employers';
import { type Concept, dayAfter, figuresOf, isUnpaid, type MonthFigures, tellablePeriods } from '../data/months';
import { drawFrom } from '../data/random';

/** One payment of an employer's month; money in centavos. */
export interface Receipt {
  readonly employer: Employer;
  readonly period: string;
  readonly folio: string;
  /** `YYYY-MM-DD`. */
  readonly paidOn: string;
  readonly centavos: number;
  readonly concepts: readonly Concept[];
  readonly uuid: string;
}

const TWICE_ONE_IN = 9;

function sumOf(concepts: readonly Concept[], labels: (label: string) => boolean): number {
  return concepts.reduce((total, { label, centavos }) => total + (labels(label) ? centavos : 0), 0);
}

/** The words by which the institute's receipts call their concepts. */
function receiptConcepts(figures: MonthFigures): readonly Concept[] {
  const kinds = [
    ['IMSS', figures.imss],
    ['RCV', figures.rcv],
  ] as const;
  return kinds.flatMap(([kind, concepts]) => [
    { label: `Cuotas ${kind}`, centavos: sumOf(concepts, (label) => !['Actualización', 'Recargos'].includes(label)) },
    { label: `Actualización de cuotas ${kind}`, centavos: sumOf(concepts, (label) => label === 'Actualización') },
    { label: `Recargos de cuotas ${kind}`, centavos: sumOf(concepts, (label) => label === 'Recargos') },
  ]);
}

/** Each concept in equal parts; the centavo that is left over goes to the first. */
function part(concepts: readonly Concept[], parts: number, index: number): readonly Concept[] {
  return concepts
    .map(({ label, centavos }) => {
      const even = Math.floor(centavos / parts);
      return { label, centavos: index === 0 ? centavos - even * (parts - 1) : even };
    })
    .filter(({ centavos }) => centavos > 0);
}

function makeReceipt(employer: Employer, period: string, concepts: readonly Concept[], index: number): Receipt {
  const draw = drawFrom(`receipt ${employer.serial} ${period} ${index}`);
  return {
    employer,
    period,
    folio: `${index}${draw.digits(5)}`,
    paidOn: dayAfter(period, draw.integer(5, 17)),
    centavos: concepts.reduce((total, { centavos }) => total + centavos, 0),
    concepts,
    uuid: draw.uuid(),
  };
}

/** The receipts of a month that have been paid at `now`: one, two, or none where the month is owed. */
export function receiptsOf(employer: Employer, period: string, now: Date): readonly Receipt[] {
  if (!tellablePeriods(now).includes(period) || isUnpaid(employer, period)) return [];
  const parts = drawFrom(`parts ${employer.serial} ${period}`).oneIn(TWICE_ONE_IN) ? 2 : 1;
  const concepts = receiptConcepts(figuresOf(employer, period));
  const today = now.toISOString().slice(0, 10);
  return Array.from({ length: parts }, (_, index) =>
    makeReceipt(employer, period, part(concepts, parts, index), index),
  ).filter(({ paidOn }) => paidOn <= today);
}
