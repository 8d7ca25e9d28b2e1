import type { SandboxEmployer } from './employers';
import { type SeededRandom, seededRandom } from './random';

/** An amount in centavos with the institute's label. */
export interface Concept {
  readonly label: string;
  readonly centavos: number;
}

export interface MonthFigures {
  readonly period: string;
  readonly workers: number;
  readonly imss: readonly Concept[];
  readonly rcv: readonly Concept[];
  readonly totalImss: number;
  readonly totalRcv: number;
  /** First day of the next month, on which the snapshot is taken. */
  readonly capturedOn: string;
}

const FIRST_YEAR = 2024;
const LATE_ONE_IN = 6;

function toMonthIndex(period: string): number {
  return Number(period.slice(0, 4)) * 12 + Number(period.slice(4)) - 1;
}

function toPeriod(index: number): string {
  return `${Math.floor(index / 12)}${String((index % 12) + 1).padStart(2, '0')}`;
}

/** Returns a day of the month after the period, as `YYYY-MM-DD`. */
export function toDayOfNextMonth(period: string, day: number): string {
  const next = toPeriod(toMonthIndex(period) + 1);
  return `${next.slice(0, 4)}-${next.slice(4)}-${String(day).padStart(2, '0')}`;
}

/** Returns the months in the registries at `now`, from January 2024 to the last complete month. */
export function availablePeriods(now: Date): readonly string[] {
  const first = FIRST_YEAR * 12;
  const current = now.getUTCFullYear() * 12 + now.getUTCMonth();
  return Array.from({ length: Math.max(0, current - first) }, (_, offset) => toPeriod(first + offset));
}

export function isUnpaid(employer: SandboxEmployer, period: string): boolean {
  if (!employer.owes) return false;
  return period === '202403' || seededRandom(`unpaid ${employer.serial} ${period}`).oneIn(8);
}

/** Returns the contribution for a rate, which is the sum of employer and worker per hundred thousand of the wages. */
function applyRate(wages: number, rate: number): number {
  return Math.round((wages * rate) / 100_000);
}

function computeLateCharges(owed: number, late: boolean): readonly Concept[] {
  return [
    { label: 'Actualización', centavos: late ? applyRate(owed, 410) : 0 },
    { label: 'Recargos', centavos: late ? applyRate(owed, 1470) : 0 },
  ];
}

function sumCentavos(concepts: readonly Concept[]): number {
  return concepts.reduce((total, concept) => total + concept.centavos, 0);
}

function countWorkers(random: SeededRandom, employer: SandboxEmployer): number {
  return Math.max(1, employer.workers + random.integer(-2, 3));
}

/** Returns the amounts of a month. Retirement contributions are due every second month, so odd months have none. */
export function computeMonthFigures(employer: SandboxEmployer, period: string): MonthFigures {
  const random = seededRandom(`month ${employer.serial} ${period}`);
  const workers = countWorkers(random, employer);
  const late = random.oneIn(LATE_ONE_IN);
  const wages = workers * employer.dailyWage * 30;
  const twoMonths = Number(period.slice(4)) % 2 === 0 ? wages * 2 : 0;
  const dues: readonly Concept[] = [
    { label: 'Enfermedades y maternidad', centavos: applyRate(wages, 8_450) },
    { label: 'Guarderías y prestaciones sociales', centavos: applyRate(wages, 1_000) },
    { label: 'Invalidez y vida', centavos: applyRate(wages, 2_375) },
    { label: 'Riesgos de trabajo', centavos: Math.round((wages * employer.riskPremium) / 10_000_000) },
  ];
  const retirement: readonly Concept[] = [
    { label: 'Retiro', centavos: applyRate(twoMonths, 2_000) },
    { label: 'Cesantía y vejez', centavos: applyRate(twoMonths, 5_331) },
  ];
  const imss = [...dues, ...computeLateCharges(sumCentavos(dues), late)];
  const rcv = [...retirement, ...computeLateCharges(sumCentavos(retirement), late)];
  return {
    period,
    workers,
    imss,
    rcv,
    totalImss: sumCentavos(imss),
    totalRcv: sumCentavos(rcv),
    capturedOn: toDayOfNextMonth(period, 1),
  };
}
