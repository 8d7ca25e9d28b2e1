import type { Config } from './settings';

/** Why an age cannot be applied, and what to do, as the end of a sentence whose subject is the header, the argument or the option. */
export interface AgeError {
  readonly english: string;
  readonly spanish: string;
}

const secondsOf = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Reads how old an answer may be that is used again, such as `0s` or `30d`. */
export function checkMaxAge(
  text: string,
  { data, reuseDays }: Pick<Config, 'data' | 'reuseDays'>,
): AgeError | { readonly ms: number } {
  if (data.store === null)
    return {
      english:
        'needs a store, and padron runs without one here. Leave it out, or ask the operator to set DATA_DIR or DATABASE_URL.',
      spanish:
        'necesita un almacén, y aquí padron no tiene. Omítalo, o pida a quien opera padron que configure DATA_DIR o DATABASE_URL.',
    };
  if (reuseDays === 0)
    return {
      english: 'is turned off here. Leave it out, or ask the operator to set REUSE_DAYS.',
      spanish: 'está desactivado aquí. Omítalo, o pida a quien opera padron que configure REUSE_DAYS.',
    };
  const [, digits, unit = 's'] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? [];
  const ms = Number(digits) * secondsOf[unit as keyof typeof secondsOf] * 1_000;
  if (ms <= reuseDays * 86_400_000) return { ms };
  return {
    english: `must be a whole number and s, m, h or d, such as \`0s\`, \`12h\` or \`1d\`, at most \`${reuseDays}d\` here (REUSE_DAYS).`,
    spanish: `debe ser un número entero y s, m, h o d, como \`0s\`, \`12h\` o \`1d\`, y a lo más \`${reuseDays}d\` aquí (REUSE_DAYS).`,
  };
}
