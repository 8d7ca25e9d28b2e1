const CURP_ALPHABET = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';
const RFC_ALPHABET = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ';
const STATE_CODES =
  'AS|BC|BS|CC|CL|CM|CS|CH|DF|DG|GT|GR|HG|JC|MC|MN|MS|NT|NL|OC|PL|QT|QR|SP|SL|SR|TC|TS|TL|VZ|YN|ZS|NE';
const CURP = new RegExp(
  `^[A-Z][AEIOUX][A-Z]{2}(\\d{2})(\\d{2})(\\d{2})[HMX](?:${STATE_CODES})[B-DF-HJ-NP-TV-Z]{3}([0-9A-Z])\\d$`,
);
const RFC = /^[A-ZÑ&]{3,4}(\d{2})(\d{2})(\d{2})[A-Z0-9]{2}[0-9A]$/;
const NSS = /^\d{11}$/;
const REGISTRATION = /^[A-Z0-9]\d{2}\d{5}\d{2}\d$/;

export function curpCheckDigit(first17: string): string {
  const sum = [...first17].reduce((total, char, index) => total + CURP_ALPHABET.indexOf(char) * (18 - index), 0);
  return String((10 - (sum % 10)) % 10);
}

/** Returns the check digit of an RFC. `body` has 11 characters for a company and 12 for a person. */
export function rfcCheckDigit(body: string): string {
  const sum = [...body.padStart(12, ' ')].reduce(
    (total, char, index) => total + RFC_ALPHABET.indexOf(char) * (13 - index),
    0,
  );
  const rest = 11 - (sum % 11);
  if (rest === 11) return '0';
  return rest === 10 ? 'A' : String(rest);
}

export function luhnCheckDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, char, index) => {
    const doubled = Number(char) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** Returns the Luhn check digit of a registration, in which each letter counts as two digits (A = 10 to Z = 35). */
export function registrationCheckDigit(first10: string): string {
  return luhnCheckDigit([...first10].map((char) => Number.parseInt(char, 36)).join(''));
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

export function isCurp(text: string): boolean {
  const parts = CURP.exec(text);
  if (!parts) return false;
  const century = /\d/.test(parts[4] ?? '') ? 1900 : 2000;
  const real = isCalendarDay(century + Number(parts[1]), Number(parts[2]), Number(parts[3]));
  return real && curpCheckDigit(text.slice(0, 17)) === text[17];
}

/** Whether a text has the format and date of an RFC. The digit is not checked, because some real codes fail it. */
export function isRfc(text: string): boolean {
  const parts = RFC.exec(text);
  if (!parts) return false;
  return [1900, 2000].some((century) => isCalendarDay(century + Number(parts[1]), Number(parts[2]), Number(parts[3])));
}

export function isNss(text: string): boolean {
  return NSS.test(text) && luhnCheckDigit(text.slice(0, 10)) === text[10];
}

export function isRegistration(text: string): boolean {
  return REGISTRATION.test(text) && registrationCheckDigit(text.slice(0, 10)) === text[10];
}
