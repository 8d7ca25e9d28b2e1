import type { SandboxEmployer } from '../data/employers';
import {
  availablePeriods,
  type Concept,
  computeMonthFigures,
  isUnpaid,
  type MonthFigures,
  toDayOfNextMonth,
} from '../data/months';
import { seededRandom } from '../data/random';

/** One payment for an employer's month. Amounts are in centavos. */
export interface Receipt {
  readonly employer: SandboxEmployer;
  readonly period: string;
  readonly folio: string;
  /** Day of payment, `YYYY-MM-DD`. */
  readonly paidOn: string;
  readonly centavos: number;
  readonly concepts: readonly Concept[];
  readonly uuid: string;
}

const TWO_PAYMENTS_ONE_IN = 9;

function sumMatching(concepts: readonly Concept[], matches: (label: string) => boolean): number {
  return concepts.reduce((total, { label, centavos }) => total + (matches(label) ? centavos : 0), 0);
}

/** Sums the month's concepts under the labels of the institute's receipts. */
function toReceiptConcepts(figures: MonthFigures): readonly Concept[] {
  const kinds = [
    ['IMSS', figures.imss],
    ['RCV', figures.rcv],
  ] as const;
  return kinds.flatMap(([kind, concepts]) => [
    {
      label: `Cuotas ${kind}`,
      centavos: sumMatching(concepts, (label) => !['Actualización', 'Recargos'].includes(label)),
    },
    { label: `Actualización de cuotas ${kind}`, centavos: sumMatching(concepts, (label) => label === 'Actualización') },
    { label: `Recargos de cuotas ${kind}`, centavos: sumMatching(concepts, (label) => label === 'Recargos') },
  ]);
}

/** Splits each concept into equal parts. The first part gets the remaining centavos. */
function splitConcepts(concepts: readonly Concept[], parts: number, index: number): readonly Concept[] {
  return concepts
    .map(({ label, centavos }) => {
      const evenShare = Math.floor(centavos / parts);
      return { label, centavos: index === 0 ? centavos - evenShare * (parts - 1) : evenShare };
    })
    .filter(({ centavos }) => centavos > 0);
}

function makeReceipt(employer: SandboxEmployer, period: string, concepts: readonly Concept[], index: number): Receipt {
  const random = seededRandom(`receipt ${employer.serial} ${period} ${index}`);
  return {
    employer,
    period,
    folio: `${index}${random.digits(5)}`,
    paidOn: toDayOfNextMonth(period, random.integer(5, 17)),
    centavos: concepts.reduce((total, { centavos }) => total + centavos, 0),
    concepts,
    uuid: random.uuid(),
  };
}

/** Returns the receipts of a month paid by `now`: one or two, or none if the month is unpaid. */
export function findReceipts(employer: SandboxEmployer, period: string, now: Date): readonly Receipt[] {
  if (!availablePeriods(now).includes(period) || isUnpaid(employer, period)) return [];
  const parts = seededRandom(`parts ${employer.serial} ${period}`).oneIn(TWO_PAYMENTS_ONE_IN) ? 2 : 1;
  const concepts = toReceiptConcepts(computeMonthFigures(employer, period));
  const today = now.toISOString().slice(0, 10);
  return Array.from({ length: parts }, (_, index) =>
    makeReceipt(employer, period, splitConcepts(concepts, parts, index), index),
  ).filter(({ paidOn }) => paidOn <= today);
}
