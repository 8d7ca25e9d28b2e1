import { curpDigit, luhnDigit } from './check-digits';
import { isCalendarDay } from './dates';
import { countCharacters, hasControlCharacter, invalidFormat, type RuleViolation, wrongCheckDigit } from './violation';

const STATES = new Set(
  'AS BC BS CC CL CM CS CH DF DG GT GR HG JC MC MN MS NT NL OC PL QT QR SP SL SR TC TS TL VZ YN ZS NE'.split(' '),
);

const CURP_PARTS: readonly (readonly [shape: RegExp, message: string, spanish: string])[] = [
  [
    /^[A-Z][AEIOUX][A-Z]{2}/,
    'The first four characters of a CURP are letters, the second one a vowel or X (Ñ is written X).',
    'Los primeros cuatro caracteres de una CURP son letras, la segunda una vocal o X (la Ñ se escribe X).',
  ],
  [
    /^.{4}\d{6}/,
    'Characters 5 to 10 of a CURP are the date of birth, YYMMDD.',
    'Los caracteres 5 a 10 de una CURP son la fecha de nacimiento, AAMMDD.',
  ],
  [/^.{10}[HMX]/, 'Character 11 of a CURP is the sex: H, M or X.', 'El carácter 11 de una CURP es el sexo: H, M o X.'],
  [
    /^.{11}[A-Z]{2}/,
    'Characters 12 and 13 of a CURP are the state of birth, two letters.',
    'Los caracteres 12 y 13 de una CURP son la entidad de nacimiento, dos letras.',
  ],
  [
    /^.{13}[B-DF-HJ-NP-TV-Z]{3}/,
    'Characters 14 to 16 of a CURP are consonants (Ñ is written X).',
    'Los caracteres 14 a 16 de una CURP son consonantes (la Ñ se escribe X).',
  ],
  [
    /^.{16}[0-9A-Z]/,
    'Character 17 of a CURP is a digit (born before 2000) or a letter (born since).',
    'El carácter 17 de una CURP es un dígito (nacimiento antes de 2000) o una letra (desde 2000).',
  ],
  [/^.{17}\d$/, 'The last character of a CURP is a digit.', 'El último carácter de una CURP es un dígito.'],
];

/** Checks a social security number: 11 digits with a Luhn check digit. */
export function checkNss(value: string): RuleViolation | null {
  const length = countCharacters(value);
  if (length !== 11)
    return invalidFormat(
      `An NSS has 11 digits, leading zeros included; this one has ${length} characters.`,
      `Un NSS tiene 11 dígitos, con los ceros a la izquierda; este tiene ${length} caracteres.`,
    );
  if (!/^\d{11}$/.test(value))
    return invalidFormat(
      'An NSS has 11 digits; this one has other characters.',
      'Un NSS tiene 11 dígitos; este tiene otros caracteres.',
    );
  const expected = luhnDigit(value.slice(0, 10));
  return value.endsWith(String(expected)) ? null : wrongCheckDigit(expected);
}

export function checkCurp(value: string): RuleViolation | null {
  const length = countCharacters(value);
  if (length !== 18)
    return invalidFormat(
      `A CURP has 18 characters; this one has ${length}.`,
      `Una CURP tiene 18 caracteres; esta tiene ${length}.`,
    );
  const broken = CURP_PARTS.find(([shape]) => !shape.test(value));
  if (broken) return invalidFormat(broken[1], broken[2]);
  if (
    !isCalendarDay(
      curpCentury(value) + Number(value.slice(4, 6)),
      Number(value.slice(6, 8)),
      Number(value.slice(8, 10)),
    )
  ) {
    return invalidFormat(
      'Characters 5 to 10 of a CURP are the date of birth; this day is not in the calendar.',
      'Los caracteres 5 a 10 de una CURP son la fecha de nacimiento; ese día no existe en el calendario.',
    );
  }
  if (!STATES.has(value.slice(11, 13))) {
    return invalidFormat(
      'Characters 12 and 13 of a CURP are the state of birth; no state has this code (NE means born abroad).',
      'Los caracteres 12 y 13 de una CURP son la entidad de nacimiento; ninguna tiene esa clave (NE: nacido en el extranjero).',
    );
  }
  const expected = curpDigit(value.slice(0, 17));
  return value.endsWith(String(expected)) ? null : wrongCheckDigit(expected);
}

export function checkName(value: string): RuleViolation | null {
  if (value.trim() === '') return invalidFormat('A part of a name is empty.', 'Una parte del nombre está vacía.');
  const length = countCharacters(value);
  if (length > 100)
    return invalidFormat(
      `A part of a name has at most 100 characters; this one has ${length}.`,
      `Una parte del nombre tiene 100 caracteres como máximo; esta tiene ${length}.`,
    );
  if (hasControlCharacter(value))
    return invalidFormat(
      'A part of a name has a control character or a line break. Remove it.',
      'Una parte del nombre contiene un carácter de control o un salto de línea. Quítelo.',
    );
  return null;
}

/** Returns the century of birth, which position 17 determines. It is needed to check 29 February. */
const curpCentury = (value: string): number => (value.charAt(16) <= '9' ? 1900 : 2000);
