/** Why an identifier is rejected before anything is paid; `code` is also the code of the problem that clients see. */
export interface RuleViolation {
  readonly code: 'INVALID_FORMAT' | 'WRONG_CHECK_DIGIT' | 'OUT_OF_RANGE';
  /** Names the rule that failed, never the value: messages travel into logs and error trackers. */
  readonly message: string;
  /** The same in Spanish. */
  readonly spanish: string;
}

export const invalidFormat = (message: string, spanish: string): RuleViolation => ({
  code: 'INVALID_FORMAT',
  message,
  spanish,
});

export const outOfRange = (message: string, spanish: string): RuleViolation => ({
  code: 'OUT_OF_RANGE',
  message,
  spanish,
});

export function wrongCheckDigit(expected: number): RuleViolation {
  return {
    code: 'WRONG_CHECK_DIGIT',
    message: `The check digit (last character) does not fit the rest; ${expected} would. Look for a mistyped character.`,
    spanish: `El dígito verificador (último carácter) no corresponde al resto; ${expected} sí. Busque un carácter mal escrito.`,
  };
}

const SURROGATE = /[\ud800-\udfff]/;
const CONTROL_CHARACTER = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Characters as people count them: a letter outside the basic plane is one. */
export const countCharacters = (value: string): number => (SURROGATE.test(value) ? [...value].length : value.length);

/** Whether the text holds a control character or a line or paragraph separator, which no registry stores. */
export const hasControlCharacter = (value: string): boolean => CONTROL_CHARACTER.test(value);
