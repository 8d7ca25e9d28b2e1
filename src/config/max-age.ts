import type { Config } from './settings';

/** Why an age cannot be applied, and what to do, as the end of a sentence whose subject is the header or the argument. */
interface AgeError {
  readonly english: string;
  readonly spanish: string;
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Returns the milliseconds of an age such as `0s` or `30d`, or why it cannot be applied. */
export function readMaxAge(text: string, { data, reuseDays }: Pick<Config, 'data' | 'reuseDays'>): number | AgeError {
  if (data.store === null) return noStore;
  if (reuseDays === 0) return turnedOff;
  const [, digits, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? [];
  const milliseconds = Number(digits) * 1_000 * (secondsOf[unit] ?? Number.NaN);
  if (milliseconds <= reuseDays * 86_400_000) return milliseconds;
  return {
    english: `must be a whole number and s, m, h or d, such as \`0s\`, \`12h\` or \`1d\`, at most \`${reuseDays}d\` here (REUSE_DAYS).`,
    spanish: `debe ser un número entero y s, m, h o d, como \`0s\`, \`12h\` o \`1d\`, y a lo más \`${reuseDays}d\` aquí (REUSE_DAYS).`,
  };
}

const noStore: AgeError = {
  english:
    'needs a store, and padron runs without one here. Leave it out, or ask the operator to set DATA_DIR or DATABASE_URL.',
  spanish:
    'necesita un almacén, y aquí padron no tiene. Omítalo, o pida a quien opera padron que configure DATA_DIR o DATABASE_URL.',
};
const turnedOff: AgeError = {
  english: 'is turned off here. Leave it out, or ask the operator to set REUSE_DAYS.',
  spanish: 'está desactivado aquí. Omítalo, o pida a quien opera padron que configure REUSE_DAYS.',
};
