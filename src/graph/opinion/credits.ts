import { parseDecimal } from '../formats/decimals';
import { checkEmployerRegistration } from '../validation/employer';
import type { Lines } from './paper';
import type { FiscalCredit } from './types';

interface ReadCredits {
  readonly rows: readonly FiscalCredit[];
  /** Whether every amount in the document stands in a row that was understood. */
  readonly areComplete: boolean;
}

const amount = /^\$?(?:\d{1,3}(?:,\d{3})+|\d+)\.\d{2}$/;

/** The rows of the table of credits: a period, a registration and an amount, whatever else stands beside them. */
export function readCredits(lines: Lines): ReadCredits {
  const priced = lines.map(toWords).filter((words) => words.some((word) => amount.test(word)));
  const rows = priced.map(toCredit).filter((credit) => credit !== null);
  return { rows, areComplete: rows.length === priced.length };
}

/** «Créditos fiscales: ninguno.» */
export function statesNoCredits(prose: string): boolean {
  return /\bcreditos fiscales: ?(?:ninguno|sin creditos)\b/.test(prose);
}

const toWords = (cells: readonly string[]): readonly string[] => cells.join(' ').replace(/\$\s+/g, '$').split(/\s+/);

/** Null where a part is missing, or may be either of two. */
function toCredit(words: readonly string[]): FiscalCredit | null {
  const [period, nextPeriod] = words.map(toPeriod).filter((month) => month !== null);
  const [registration, nextRegistration] = words
    .map((word) => word.replaceAll('-', ''))
    .filter((word) => checkEmployerRegistration(word) === null);
  const [owed, nextOwed] = words.filter((word) => amount.test(word));
  if (period === undefined || registration === undefined || owed === undefined) return null;
  if (nextPeriod !== undefined || nextRegistration !== undefined || nextOwed !== undefined) return null;
  const exact = parseDecimal(owed);
  return exact === null ? null : { period, registration, amount: exact };
}

/** `202605`, `2026-05` or `05/2026`. */
function toPeriod(word: string): string | null {
  const [, year, month] = /^((?:19|20)\d{2})-?(0[1-9]|1[0-2])$/.exec(word) ?? [];
  if (year !== undefined) return `${year}-${month}`;
  const [, monthFirst, yearLast] = /^(0[1-9]|1[0-2])[-/]((?:19|20)\d{2})$/.exec(word) ?? [];
  return yearLast === undefined ? null : `${yearLast}-${monthFirst}`;
}
