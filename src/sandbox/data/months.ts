import type { Employer } from './employers';
import { type Draw, drawFrom } from './random';

/** An amount under the label that the institute gives it; money in centavos. */
export interface Concept {
  readonly label: string;
  readonly centavos: number;
}

/** What an employer owed for one month. */
export interface MonthFigures {
  readonly period: string;
  readonly workers: number;
  readonly imss: readonly Concept[];
  readonly rcv: readonly Concept[];
  readonly totalImss: number;
  readonly totalRcv: number;
  /** Day after the month's end: snapshots are taken on it. */
  readonly capturedOn: string;
}

const FIRST_YEAR = 2024;
const LATE_ONE_IN = 6;

function monthIndex(period: string): number {
  return Number(period.slice(0, 4)) * 12 + Number(period.slice(4)) - 1;
}

function periodAt(index: number): string {
  return `${Math.floor(index / 12)}${String((index % 12) + 1).padStart(2, '0')}`;
}

/** A day, `YYYY-MM-DD`, of the month after the period. */
export function dayAfter(period: string, day: number): string {
  const next = periodAt(monthIndex(period) + 1);
  return `${next.slice(0, 4)}-${next.slice(4)}-${String(day).padStart(2, '0')}`;
}

/** The months that are told at `now`: from January 2024 to the last one that is over. */
export function tellablePeriods(now: Date): readonly string[] {
  const first = FIRST_YEAR * 12;
  const current = now.getUTCFullYear() * 12 + now.getUTCMonth();
  return Array.from({ length: Math.max(0, current - first) }, (_, offset) => periodAt(first + offset));
}

export function isUnpaid(employer: Employer, period: string): boolean {
  if (!employer.owes) return false;
  return period === '202403' || drawFrom(`unpaid ${employer.serial} ${period}`).oneIn(8);
}

/** Rates are employer and worker together, per hundred thousand of the wages. */
function share(wages: number, rate: number): number {
  return Math.round((wages * rate) / 100_000);
}

function lateCharges(owed: number, late: boolean): readonly Concept[] {
  return [
    { label: 'Actualización', centavos: late ? share(owed, 410) : 0 },
    { label: 'Recargos', centavos: late ? share(owed, 1470) : 0 },
  ];
}

function sum(concepts: readonly Concept[]): number {
  return concepts.reduce((total, concept) => total + concept.centavos, 0);
}

function workersIn(draw: Draw, employer: Employer): number {
  return Math.max(1, employer.workers + draw.integer(-2, 3));
}

/** Retirement contributions fall due every second month: an odd month has none. */
export function figuresOf(employer: Employer, period: string): MonthFigures {
  const draw = drawFrom(`month ${employer.serial} ${period}`);
  const workers = workersIn(draw, employer);
  const late = draw.oneIn(LATE_ONE_IN);
  const wages = workers * employer.dailyWage * 30;
  const twoMonths = Number(period.slice(4)) % 2 === 0 ? wages * 2 : 0;
  const dues: readonly Concept[] = [
    { label: 'Enfermedades y maternidad', centavos: share(wages, 8_450) },
    { label: 'Guarderías y prestaciones sociales', centavos: share(wages, 1_000) },
    { label: 'Invalidez y vida', centavos: share(wages, 2_375) },
    { label: 'Riesgos de trabajo', centavos: Math.round((wages * employer.riskPremium) / 10_000_000) },
  ];
  const retirement: readonly Concept[] = [
    { label: 'Retiro', centavos: share(twoMonths, 2_000) },
    { label: 'Cesantía y vejez', centavos: share(twoMonths, 5_331) },
  ];
  const imss = [...dues, ...lateCharges(sum(dues), late)];
  const rcv = [...retirement, ...lateCharges(sum(retirement), late)];
  return { period, workers, imss, rcv, totalImss: sum(imss), totalRcv: sum(rcv), capturedOn: dayAfter(period, 1) };
}
