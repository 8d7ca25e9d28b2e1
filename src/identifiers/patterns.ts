/**
 * Patterns of identifiers for callers that read JSON Schema, by the name of their scalar. They describe the normalised form. The rules
 * also check digits, dates and states, which a pattern cannot.
 */
export const identifierPatterns: Readonly<Record<string, string>> = {
  NSS: '^\\d{11}$',
  CURP: '^[A-Z][AEIOUX][A-Z]{2}\\d{6}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[0-9A-Z]\\d$',
  RFC: '^[A-ZÑ&]{3,4}\\d{6}[A-Z0-9]{2}[0-9A]$',
  EmployerRegistration: '^[A-Z0-9]\\d{10}$',
  LicenceNumber: '^\\d{1,12}$',
  CertificateFolio: '^[A-Za-z0-9-]{1,64}$',
  YearMonth: '^(20\\d{2}|2100)-(0[1-9]|1[0-2])$',
  Date: '^\\d{4}-\\d{2}-\\d{2}$',
  Decimal: '^-?\\d+(\\.\\d+)?$',
};
