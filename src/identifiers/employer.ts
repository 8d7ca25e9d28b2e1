import { registrationDigit } from './check-digits';
import { isCalendarDay } from './dates';
import { countCharacters, invalidFormat, type RuleViolation, wrongCheckDigit } from './violation';

const GENERIC_RFC = new Map([
  ['XAXX010101000', { purpose: 'sales to the public', spanish: 'ventas al público en general' }],
  ['XEXX010101000', { purpose: 'foreign residents', spanish: 'residentes en el extranjero' }],
]);

/** Checks an RFC: its format and a real date. Its check digit is not checked, because codes in use are known to fail it. */
export function checkRfc(value: string): RuleViolation | null {
  const generic = GENERIC_RFC.get(value);
  if (generic !== undefined) {
    return invalidFormat(
      `This is the generic RFC for ${generic.purpose}. It belongs to no person or employer: use the one of the taxpayer.`,
      `Este es el RFC genérico para ${generic.spanish}. No pertenece a ninguna persona ni patrón: use el del contribuyente.`,
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
