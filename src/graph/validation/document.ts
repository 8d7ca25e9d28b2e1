import { countCharacters, invalidFormat, outOfRange, type RuleViolation } from './violation';

/** Professional licence number (cédula): 7 or 8 digits today; older and newer lengths are let through. */
export function checkLicenceNumber(value: string): RuleViolation | null {
  return checkDigitsOnly(value, 'A licence number', 12);
}

/** Folio of an employer's receipt (folio SUA). */
export function checkReceiptFolio(value: string): RuleViolation | null {
  return checkDigitsOnly(value, 'The folio of a receipt', 25);
}

/** Folio of an electronic certificate: UUID-like text, judged leniently since the registry does not fix its shape. */
export function checkCertificateFolio(value: string): RuleViolation | null {
  if (value === '') return invalidFormat('The folio of a certificate is empty.');
  const length = countCharacters(value);
  if (length > 64)
    return invalidFormat(`The folio of a certificate has at most 64 characters; this one has ${length}.`);
  if (!/^[A-Za-z0-9-]+$/.test(value))
    return invalidFormat('The folio of a certificate holds letters, digits and dashes only.');
  return /[A-Za-z0-9]/.test(value)
    ? null
    : invalidFormat('The folio of a certificate holds at least one letter or digit.');
}

/** Calendar month `YYYY-MM` that the registries can be asked about. */
export function checkYearMonth(value: string): RuleViolation | null {
  if (!/^\d{4}-\d{2}$/.test(value)) return invalidFormat('A month is written YYYY-MM, for example 2026-01.');
  const [year, month] = [Number(value.slice(0, 4)), Number(value.slice(5))];
  if (year < 2000 || year > 2100) return outOfRange('The year of a month lies between 2000 and 2100.');
  return month < 1 || month > 12 ? outOfRange('The month of a year lies between 01 and 12.') : null;
}

function checkDigitsOnly(value: string, what: string, max: number): RuleViolation | null {
  if (value === '') return invalidFormat(`${what} is empty.`);
  if (!/^\d+$/.test(value)) return invalidFormat(`${what} holds digits only.`);
  return value.length > max ? invalidFormat(`${what} has at most ${max} digits; this one has ${value.length}.`) : null;
}
