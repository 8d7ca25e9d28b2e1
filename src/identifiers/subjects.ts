import { isCalendarDay } from './dates';
import { isDamaged, type Text } from './text';
import {
  countCharacters,
  damagedText,
  hasControlCharacter,
  hasOnlyZeros,
  invalidFormat,
  type RuleViolation,
  standsForNothing,
  wrongCheckDigit,
} from './violation';

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
  if (hasOnlyZeros(value)) return standsForNothing('An NSS', 'Un NSS');
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
  if (value.startsWith('00'))
    return invalidFormat(
      'An NSS begins with the two digits of a subdelegation, and there is no subdelegation 00.',
      'Un NSS empieza con los dos dígitos de una subdelegación, y no existe la subdelegación 00.',
    );
  const expected = luhnDigit(value.slice(0, 10));
  return value.endsWith(String(expected)) ? null : wrongCheckDigit(expected);
}

/** The generic CURPs of foreign workers, a man and a woman, in payroll receipts. */
const GENERIC_CURPS: readonly string[] = ['XEXX010101HNEXXXA4', 'XEXX010101MNEXXXA8'];

export function checkCurp(value: string): RuleViolation | null {
  if (GENERIC_CURPS.includes(value))
    return invalidFormat(
      'This is the generic CURP for foreign workers. It belongs to no person: use the one of the person, or leave it out.',
      'Esta es la CURP genérica para trabajadores extranjeros. No pertenece a ninguna persona: use la de la persona u omítala.',
    );
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
  if (isDamaged(value)) return damagedText;
  const found = FOREIGN_IN_NAMES.exec(value)?.[0];
  if (found !== undefined) return notUtf8(found.length > 3 ? '&…;' : found);
  if (!/\p{N}/u.test(value)) return null;
  return invalidFormat(
    'A part of a name has a digit. Write letters, and check that the value is from the column of the name.',
    'Una parte del nombre tiene un dígito. Escriba letras y revise que el dato sea de la columna del nombre.',
  );
}

/**
 * Matches what no name has: UTF-8 that was read as Windows-1252 (`Ã‘`), an HTML entity, or a symbol. Programs that use other encodings
 * write many of these symbols for letters with accents. A degree sign is allowed, because people write `M°` for María.
 */
const FOREIGN_IN_NAMES =
  /[ÃÂ][\u00a1-\u00bfŠŒŽšœžŸˆ˜‘’“”–—‹›]|&#?[a-z\d]{2,8};|(?!°)[\p{Sc}\p{Sm}\p{So}]|[?¿!¡#@%*\\_{}[\]„‚ƒ†‡‰§¶µ•…]/iu;

const notUtf8 = (found: string): RuleViolation =>
  invalidFormat(
    `A part of a name has \`${found}\`, which no name has. If it stands for a letter, the file or program did not write UTF-8. Send the original name as UTF-8.`,
    `Una parte del nombre tiene \`${found}\`, que ningún nombre lleva. Si está en lugar de una letra, el archivo o programa no escribió UTF-8. Envíe el nombre original en UTF-8.`,
  );

/** Returns the century of birth, which position 17 determines. It is needed to check 29 February. */
const curpCentury = (value: string): number => (value.charAt(16) <= '9' ? 1900 : 2000);

const placeholder = { english: 'a placeholder for an RFC', spanish: 'un texto de relleno en lugar de un RFC' };
const GENERIC_RFC: ReadonlyMap<string, Text> = new Map([
  [
    'XAXX010101000',
    {
      english: 'the generic RFC for sales to the public',
      spanish: 'el RFC genérico para ventas al público en general',
    },
  ],
  [
    'XEXX010101000',
    { english: 'the generic RFC for foreign residents', spanish: 'el RFC genérico para residentes en el extranjero' },
  ],
  ['XXXX010101000', placeholder],
  ['XXX010101000', placeholder],
]);

/** Checks an RFC: its format and a real date. Its check digit is not checked, because codes in use are known to fail it. */
export function checkRfc(value: string): RuleViolation | null {
  const generic = GENERIC_RFC.get(value);
  if (generic !== undefined) {
    return invalidFormat(
      `This is ${generic.english}. It belongs to no person or employer: use the one of the taxpayer.`,
      `Este es ${generic.spanish}. No pertenece a ninguna persona ni patrón: use el del contribuyente.`,
    );
  }
  const length = countCharacters(value);
  if (length !== 12 && length !== 13) {
    return invalidFormat(
      `An RFC has 12 characters (company) or 13 (person); this one has ${length}.`,
      `Un RFC tiene 12 caracteres (persona moral) o 13 (persona física); este tiene ${length}.`,
    );
  }
  const letters = length - 9;
  if (!/^[A-ZÑ&]+$/.test(value.slice(0, letters))) {
    return invalidFormat(
      `An RFC of ${length} characters begins with ${letters} letters (Ñ and & are letters here).`,
      `Un RFC de ${length} caracteres empieza con ${letters} letras (aquí Ñ y & son letras).`,
    );
  }
  const [date, rest] = [value.slice(letters, letters + 6), value.slice(letters + 6)];
  if (!isShortDate(date)) {
    return invalidFormat(
      'The letters of an RFC are followed by a date, YYMMDD; this one is not in the calendar.',
      'A las letras de un RFC sigue una fecha, AAMMDD; esta no existe en el calendario.',
    );
  }
  return /^[A-Z0-9]{2}[0-9A]$/.test(rest)
    ? null
    : invalidFormat(
        'An RFC ends in two letters or digits and a check digit, 0 to 9 or A.',
        'Un RFC termina en dos letras o dígitos y un dígito verificador, 0 a 9 o A.',
      );
}

/** Checks an employer registration (registro patronal): 11 characters with a Luhn check digit. */
export function checkEmployerRegistration(value: string): RuleViolation | null {
  if (hasOnlyZeros(value)) return standsForNothing('An employer registration', 'Un registro patronal');
  if (/^[A-Z0-9]\d{9}$/.test(value)) {
    return invalidFormat(
      'An employer registration has 11 characters; this one has 10: the check digit at its end is missing.',
      'Un registro patronal tiene 11 caracteres; este tiene 10: falta el dígito verificador al final.',
    );
  }
  const length = countCharacters(value);
  if (length !== 11)
    return invalidFormat(
      `An employer registration has 11 characters; this one has ${length}.`,
      `Un registro patronal tiene 11 caracteres; este tiene ${length}.`,
    );
  if (!/^[A-Z0-9]\d{10}$/.test(value)) {
    return invalidFormat(
      'An employer registration is one letter or digit followed by 10 digits.',
      'Un registro patronal es una letra o un dígito seguido de 10 dígitos.',
    );
  }
  const expected = registrationDigit(value.slice(0, 10));
  return value.endsWith(String(expected)) ? null : wrongCheckDigit(expected);
}

/** Whether a date exists in one of the two possible centuries, because an RFC does not contain the century. */
function isShortDate(digits: string): boolean {
  if (!/^\d{6}$/.test(digits)) return false;
  const [year, month, day] = [Number(digits.slice(0, 2)), Number(digits.slice(2, 4)), Number(digits.slice(4))];
  return isCalendarDay(1900 + year, month, day) || isCalendarDay(2000 + year, month, day);
}

const CURP_ALPHABET = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';
const ZERO = '0'.charCodeAt(0);

export function luhnDigit(digits: string): number {
  let sum = 0;
  let doubled = true;
  for (let index = digits.length - 1; index >= 0; index -= 1) {
    sum += luhnWeight(digits.charCodeAt(index) - ZERO, doubled);
    doubled = !doubled;
  }
  return (10 - (sum % 10)) % 10;
}

function curpDigit(stem: string): number {
  let sum = 0;
  for (let index = 0; index < stem.length; index += 1) sum += CURP_ALPHABET.indexOf(stem.charAt(index)) * (18 - index);
  return (10 - (sum % 10)) % 10;
}

/** Returns the check digit of an employer registration from its first 10 characters. Letters count as two digits (A=10 … Z=35). */
function registrationDigit(stem: string): number {
  return luhnDigit(stem.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36))));
}

function luhnWeight(digit: number, doubled: boolean): number {
  if (!doubled) return digit;
  return digit > 4 ? digit * 2 - 9 : digit * 2;
}
