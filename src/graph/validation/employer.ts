import { isCalendarDay } from './calendar';
import { registrationDigit } from './check-digits';
import { countCharacters, invalidFormat, type RuleViolation, wrongCheckDigit } from './violation';

const GENERIC_RFC = new Map([
  ['XAXX010101000', 'sales to the public'],
  ['XEXX010101000', 'foreign residents'],
]);

/** Taxpayer code: shape and a real date. Its check digit is never an error: codes in use are known that fail it. */
export function checkRfc(value: string): RuleViolation | null {
  const purpose = GENERIC_RFC.get(value);
  if (purpose !== undefined) {
    return invalidFormat(`This is the generic RFC for ${purpose}: no person or employer stands behind it.`);
  }
  const length = countCharacters(value);
  if (length !== 12 && length !== 13) {
    return invalidFormat(`An RFC has 12 characters (company) or 13 (person); this one has ${length}.`);
  }
  const letters = length - 9;
  if (!/^[A-ZÑ&]+$/.test(value.slice(0, letters))) {
    return invalidFormat(`An RFC of ${length} characters begins with ${letters} letters (Ñ and & are letters here).`);
  }
  const [date, rest] = [value.slice(letters, letters + 6), value.slice(letters + 6)];
  if (!isShortDate(date)) {
    return invalidFormat('The letters of an RFC are followed by a date, YYMMDD; this one is not in the calendar.');
  }
  return /^[A-Z0-9]{2}[0-9A]$/.test(rest)
    ? null
    : invalidFormat('An RFC ends in two letters or digits and a check digit, 0 to 9 or A.');
}

/** Employer registration (registro patronal): 11 characters, the last one by Luhn. */
export function checkEmployerRegistration(value: string): RuleViolation | null {
  if (/^[A-Z0-9]\d{9}$/.test(value)) {
    return invalidFormat(
      'An employer registration has 11 characters; this one has 10: the check digit at its end is missing.',
    );
  }
  const length = countCharacters(value);
  if (length !== 11) return invalidFormat(`An employer registration has 11 characters; this one has ${length}.`);
  if (!/^[A-Z0-9]\d{10}$/.test(value)) {
    return invalidFormat('An employer registration is one letter or digit followed by 10 digits.');
  }
  const expected = registrationDigit(value.slice(0, 10));
  return value.endsWith(String(expected)) ? null : wrongCheckDigit(expected);
}

/** The century of an RFC is not known: the day counts as real when it is so in either. */
function isShortDate(digits: string): boolean {
  if (!/^\d{6}$/.test(digits)) return false;
  const [year, month, day] = [Number(digits.slice(0, 2)), Number(digits.slice(2, 4)), Number(digits.slice(4))];
  return isCalendarDay(1900 + year, month, day) || isCalendarDay(2000 + year, month, day);
}
