import { parseDecimal } from '../../../identifiers/decimals';
import type { Cfdi, ExpectedReceipt } from './types';

/** RFC of the social security institute, which issues the receipts. */
const instituteRfc = 'IMS421231I45';

/** Returns the fields of a CFDI that contradict the list and the request. A value that they do not have contradicts nothing. */
export function contradictingFields(cfdi: Cfdi, expected: ExpectedReceipt): readonly string[] {
  const agrees: Readonly<Record<string, boolean>> = {
    total: expected.amount === null || sameAmount(cfdi.total, expected.amount),
    // The amounts of the list are in pesos.
    currency: cfdi.currency === 'MXN',
    'issuer.rfc': cfdi.issuer.rfc === instituteRfc,
    folio: namesReceipt(cfdi.folio, expected),
  };
  return Object.keys(agrees).filter((field) => agrees[field] === false);
}

/**
 * Whether a folio such as `202608-Y6099999101-17092026-516283`, or the receipt folio alone, belongs to the receipt. A folio in
 * another format matches any receipt.
 */
function namesReceipt(folio: string | null, expected: ExpectedReceipt): boolean {
  const [, period, registration, receiptFolio] = /^(\d{6})-([A-Z0-9]{10,11})-\d{8}-(\d{1,25})$/.exec(folio ?? '') ?? [];
  if (period === undefined || registration === undefined || receiptFolio === undefined)
    return folio === null || !/^\d+$/.test(folio) || sameDigits(folio, expected.folio);
  return (
    period === expected.period.replace('-', '') &&
    // Internal documents of the institute omit the check digit.
    expected.registration.startsWith(registration) &&
    sameDigits(receiptFolio, expected.folio)
  );
}

const sameDigits = (left: string, right: string): boolean => left.replace(/^0+/, '') === right.replace(/^0+/, '');

const sameAmount = (left: string, right: string): boolean => plainAmount(left) === plainAmount(right);

const plainAmount = (text: string): string | null =>
  parseDecimal(text)
    ?.replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '') ?? null;
