import {
  checkCertificateFolio,
  checkLicenceNumber,
  checkReceiptFolio,
  checkYearMonth,
} from '../../src/identifiers/document';
import { checkEmployerRegistration, checkRfc } from '../../src/identifiers/employer';
import { checkCurp, checkName, checkNss } from '../../src/identifiers/person';
import type { RuleViolation } from '../../src/identifiers/violation';

const rules: readonly (readonly [string, (value: string) => RuleViolation | null, readonly string[]])[] = [
  ['an NSS', checkNss, ['1', '1234567890A', '04159600264']],
  [
    'a CURP',
    checkCurp,
    [
      'X',
      'CBCX760510MGTSHC04',
      'CACX7605A0MGTSHC04',
      'CACX760231MGTSHC04',
      'CACX760510AGTSHC04',
      'CACX760510M1TSHC04',
      'CACX760510MGGSHC04',
      'CACX760510MGTAHC04',
      'CACX760510MGTSHC-4',
      'CACX760510MGTSHC0A',
      'CACX760510MGTSHC05',
    ],
  ],
  ['a name', checkName, [' ', 'A'.repeat(101), 'A\nB']],
  ['an RFC', checkRfc, ['XAXX010101000', 'XEXX010101000', 'A', 'A1A010101AAA', 'AAA019901AAA', 'AAA010101AAZ']],
  ['a registration', checkEmployerRegistration, ['F911000010', 'F', 'FF110000100', 'F9110000101']],
  ['a licence number', checkLicenceNumber, ['', 'A', '1'.repeat(13)]],
  ['the folio of a receipt', checkReceiptFolio, ['', 'A', '1'.repeat(26)]],
  ['the folio of a certificate', checkCertificateFolio, ['', '1'.repeat(65), 'ñ', '-']],
  ['a month', checkYearMonth, ['2025', '1999-01', '2025-13']],
];
const numbersIn = (text: string): readonly string[] => text.match(/\d+/g)?.sort() ?? [];

describe.each(rules)('the rules of %s', (_what, rule, values) => {
  it.each(values)('have Spanish messages too, with the same limits, for %j', (value) => {
    const { message, spanish } = rule(value) ?? { message: '', spanish: '' };
    expect(spanish).toMatch(/^[A-ZÁ].+\.$/);
    expect(spanish).not.toBe(message);
    if (!/since|born before|2026-01/.test(message)) expect(numbersIn(spanish)).toEqual(numbersIn(message));
  });
});
