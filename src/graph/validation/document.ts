import { countCharacters, invalidFormat, outOfRange, type RuleViolation } from './violation';

/** Professional licence number (cédula): 7 or 8 digits today; older and newer lengths are let through. */
export function checkLicenceNumber(value: string): RuleViolation | null {
  return checkDigitsOnly(value, 'A licence number', 'El número de cédula', 12);
}

/** Folio of an employer's receipt (folio SUA). */
export function checkReceiptFolio(value: string): RuleViolation | null {
  return checkDigitsOnly(value, 'The folio of a receipt', 'El folio de un comprobante', 25);
}

/** Folio of an electronic certificate: UUID-like text, judged leniently since the registry does not fix its shape. */
export function checkCertificateFolio(value: string): RuleViolation | null {
  if (value === '')
    return invalidFormat('The folio of a certificate is empty.', 'El folio de un certificado está vacío.');
  const length = countCharacters(value);
  if (length > 64)
    return invalidFormat(
      `The folio of a certificate has at most 64 characters; this one has ${length}.`,
      `El folio de un certificado tiene 64 caracteres como máximo; este tiene ${length}.`,
    );
  if (!/^[A-Za-z0-9-]+$/.test(value))
    return invalidFormat(
      'The folio of a certificate holds letters, digits and dashes only.',
      'El folio de un certificado solo contiene letras, dígitos y guiones.',
    );
  return /[A-Za-z0-9]/.test(value)
    ? null
    : invalidFormat(
        'The folio of a certificate holds at least one letter or digit.',
        'El folio de un certificado contiene al menos una letra o un dígito.',
      );
}

/** Calendar month `YYYY-MM` that the registries can be asked about. */
export function checkYearMonth(value: string): RuleViolation | null {
  if (!/^\d{4}-\d{2}$/.test(value))
    return invalidFormat(
      'A month is written YYYY-MM, for example 2026-01.',
      'Un mes se escribe AAAA-MM, por ejemplo 2026-01.',
    );
  const [year, month] = [Number(value.slice(0, 4)), Number(value.slice(5))];
  if (year < 2000 || year > 2100)
    return outOfRange('The year of a month lies between 2000 and 2100.', 'El año de un mes está entre 2000 y 2100.');
  return month < 1 || month > 12
    ? outOfRange('The month of a year lies between 01 and 12.', 'El mes de un año está entre 01 y 12.')
    : null;
}

function checkDigitsOnly(value: string, what: string, whatInSpanish: string, max: number): RuleViolation | null {
  if (value === '') return invalidFormat(`${what} is empty.`, `${whatInSpanish} está vacío.`);
  if (!/^\d+$/.test(value))
    return invalidFormat(`${what} holds digits only.`, `${whatInSpanish} solo contiene dígitos.`);
  if (value.length <= max) return null;
  return invalidFormat(
    `${what} has at most ${max} digits; this one has ${value.length}.`,
    `${whatInSpanish} tiene ${max} dígitos como máximo; este tiene ${value.length}.`,
  );
}
