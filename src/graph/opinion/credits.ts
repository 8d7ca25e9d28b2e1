import { parseDecimal } from '../formats/decimals';
import { checkEmployerRegistration } from '../validation/employer';
import type { Lines } from './opinion-document';
import type { FiscalCredit } from './types';

interface ReadCredits {
  readonly rows: readonly FiscalCredit[];
  /** Whether every line with an amount, or with a period and a registration, was understood as a row. */
  readonly areComplete: boolean;
}

const amount = /^\$?(?:\d{1,3}(?:,\d{3})+|\d+)\.\d{2}$/;

/** Reads the rows of the table of credits. A row has a period, a registration and an amount, and may have other columns. */
export function readCredits(lines: Lines): ReadCredits {
  const creditLines = lines.map(toWords).filter(isCreditLine);
  const rows = creditLines.map(toCredit).filter((credit) => credit !== null);
  return { rows, areComplete: rows.length === creditLines.length };
}

/** Amounts in any format, including those that padron does not read: `$1234`, `1.234.567,89`, `1,234`. */
const anyAmount = /^\$|^\d{1,3}(?:[.,']\d{3})+(?:[.,]\d{1,2})?$|^\d+[.,]\d{2}$/;

/** Whether a line states a debt in any format. */
function isCreditLine(words: readonly string[]): boolean {
  if (words.some((word) => anyAmount.test(word.replace(/[.,;:]$/, '')))) return true;
  if (!words.some((word) => toPeriod(word) !== null)) return false;
  return words.some((word) => isRegistration(word));
}

const debtWords = 'adeudos?|adeuda|importe|monto|saldo';
const owedInFigures = new RegExp(`(?<!\\bno )\\b(?:${debtWords})\\b[^.;|]{0,40}\\d`);

/** Whether the prose states a debt in figures: «adeudo total: 500». «Carta de No Adeudo Art. 32D» is the name of the procedure. */
export function statesDebt(prose: string): boolean {
  return owedInFigures.test(prose) || /\$ ?\d|\d ?pesos\b|\ba pagar:? \d/.test(prose);
}

/** Whether the prose states that there are no credits: «Créditos fiscales: ninguno.» */
export function statesNoCredits(prose: string): boolean {
  return /\bcreditos fiscales: ?(?:ninguno|sin creditos)\b/.test(prose);
}

const toWords = (cells: readonly string[]): readonly string[] => cells.join(' ').replace(/\$\s+/g, '$').split(/\s+/);

/** Returns the credit of a row. Returns null if a part is missing or ambiguous. */
function toCredit(words: readonly string[]): FiscalCredit | null {
  const [period, nextPeriod] = words.map(toPeriod).filter((month) => month !== null);
  const [registration, nextRegistration] = words.filter(isRegistration).map((word) => word.replaceAll('-', ''));
  const [owed, nextOwed] = words.filter((word) => amount.test(word));
  if (period === undefined || registration === undefined || owed === undefined) return null;
  if (nextPeriod !== undefined || nextRegistration !== undefined || nextOwed !== undefined) return null;
  const exact = parseDecimal(owed);
  return exact === null ? null : { period, registration, amount: exact };
}

const isRegistration = (word: string): boolean => {
  const code = word.length > 20 ? '' : word.replaceAll('-', '');
  return /^[A-Z0-9]{10,11}$/.test(code) && checkEmployerRegistration(code) === null;
};

/** Parses a month written as `202605`, `2026-05` or `05/2026`. */
function toPeriod(word: string): string | null {
  const [, year, month] = /^((?:19|20)\d{2})-?(0[1-9]|1[0-2])$/.exec(word) ?? [];
  if (year !== undefined) return `${year}-${month}`;
  const [, monthFirst, yearLast] = /^(0[1-9]|1[0-2])[-/]((?:19|20)\d{2})$/.exec(word) ?? [];
  return yearLast === undefined ? null : `${yearLast}-${monthFirst}`;
}
