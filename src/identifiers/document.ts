import {
  countCharacters,
  hasOnlyZeros,
  invalidFormat,
  outOfRange,
  type RuleViolation,
  standsForNothing,
} from './violation';

/** Checks a professional licence number (cédula). It has 7 or 8 digits today, but other lengths are accepted. */
export function checkLicenceNumber(value: string): RuleViolation | null {
  if (hasOnlyZeros(value)) return standsForNothing('A licence number', 'Un número de cédula');
  return checkDigitsOnly(value, 'A licence number', 'El número de cédula', 12);
}

export function checkReceiptFolio(value: string): RuleViolation | null {
  return checkDigitsOnly(value, 'The folio of a receipt', 'El folio de un comprobante', 25);
}

/** Checks the folio of an electronic certificate. It is similar to a UUID, but the registry does not specify its format. */
export function checkCertificateFolio(value: string): RuleViolation | null {
  if (value === '')
    return invalidFormat('The folio of a certificate is empty.', 'El folio de un certificado está vacío.');
  if (hasOnlyZeros(value)) return standsForNothing('A folio', 'Un folio');
  const length = countCharacters(value);
  if (length > 64)
    return invalidFormat(
      `The folio of a certificate has at most 64 characters; this one has ${length}.`,
      `El folio de un certificado tiene 64 caracteres como máximo; este tiene ${length}.`,
    );
  if (!/^[A-Za-z0-9-]+$/.test(value))
    return invalidFormat(
      'The folio of a certificate may contain only letters, digits and dashes.',
      'El folio de un certificado solo puede contener letras, dígitos y guiones.',
    );
  return /[A-Za-z0-9]/.test(value)
    ? null
    : invalidFormat(
        'The folio of a certificate must contain at least one letter or digit.',
        'El folio de un certificado debe contener al menos una letra o un dígito.',
      );
}

export function checkYearMonth(value: string): RuleViolation | null {
  if (!/^\d{4}-\d{2}$/.test(value))
    return invalidFormat(
      'A month must be written YYYY-MM, for example 2026-01.',
      'Un mes debe escribirse AAAA-MM, por ejemplo 2026-01.',
    );
  const [year, month] = [Number(value.slice(0, 4)), Number(value.slice(5))];
  if (year < 2000 || year > 2100)
    return outOfRange(
      'The year of a month must be between 2000 and 2100.',
      'El año de un mes debe estar entre 2000 y 2100.',
    );
  return month < 1 || month > 12
    ? outOfRange('The month of a year must be between 01 and 12.', 'El mes de un año debe estar entre 01 y 12.')
    : null;
}

function checkDigitsOnly(value: string, what: string, whatInSpanish: string, max: number): RuleViolation | null {
  if (value === '') return invalidFormat(`${what} is empty.`, `${whatInSpanish} está vacío.`);
  if (!/^\d+$/.test(value))
    return invalidFormat(`${what} may contain only digits.`, `${whatInSpanish} solo puede contener dígitos.`);
  if (value.length <= max) return null;
  return invalidFormat(
    `${what} has at most ${max} digits; this one has ${value.length}.`,
    `${whatInSpanish} tiene ${max} dígitos como máximo; este tiene ${value.length}.`,
  );
}
