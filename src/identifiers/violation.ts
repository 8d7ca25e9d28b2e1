/** Violation of a rule of an identifier. `code` is also the code of the problem that clients see. */
export interface RuleViolation {
  readonly code: 'INVALID_FORMAT' | 'WRONG_CHECK_DIGIT' | 'OUT_OF_RANGE';
  /** Message that describes the rule. It never contains the value, because messages may be logged. */
  readonly message: string;
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
    message: `The check digit (last character) is wrong: expected ${expected}. Look for a mistyped character.`,
    spanish: `El dígito verificador (último carácter) es incorrecto: se esperaba ${expected}. Busque un carácter mal escrito.`,
  };
}

/** Violation of an identifier of zeros, which people and programs write if there is none. */
export const standsForNothing = (what: string, whatInSpanish: string): RuleViolation =>
  invalidFormat(
    `${what} of zeros stands for a missing one. Leave it out.`,
    `${whatInSpanish} de ceros está en lugar de uno que falta. Omítalo.`,
  );

export const hasOnlyZeros = (value: string): boolean => /^0[0-]*$/.test(value);

const CONTROL_CHARACTER = /[\p{Cc}\p{Zl}\p{Zp}]/u;

export const countCharacters = (value: string): number => [...value].length;

/** Whether the text has a control character or a line or paragraph separator. */
export const hasControlCharacter = (value: string): boolean => CONTROL_CHARACTER.test(value);

export const damagedText: RuleViolation = invalidFormat(
  'The text was damaged before it was sent: it has the character U+FFFD, or half of one. Send the original text as UTF-8.',
  'El texto se dañó antes de enviarse: tiene el carácter U+FFFD o la mitad de otro. Envíe el texto original en UTF-8.',
);
