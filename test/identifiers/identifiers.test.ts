import fc from 'fast-check';
import {
  checkCertificateFolio,
  checkLicenceNumber,
  checkReceiptFolio,
  checkYearMonth,
} from '../../src/identifiers/document';
import { checkCurp, checkEmployerRegistration, checkName, checkNss, checkRfc } from '../../src/identifiers/subjects';
import type { RuleViolation } from '../../src/identifiers/violation';

type Check = (value: string) => RuleViolation | null;

const CHECKS: readonly (readonly [string, Check])[] = [
  ['NSS', checkNss],
  ['CURP', checkCurp],
  ['RFC', checkRfc],
  ['employer registration', checkEmployerRegistration],
  ['licence number', checkLicenceNumber],
  ['certificate folio', checkCertificateFolio],
  ['receipt folio', checkReceiptFolio],
  ['month', checkYearMonth],
  ['name', checkName],
];

const numbersIn = (text: string): readonly string[] => text.match(/\d+/g)?.sort() ?? [];

/** The rule that a value breaks, whose Spanish message has the limits of the English one. */
function faultOf(check: Check, value: string): RuleViolation | null {
  const fault = check(value);
  const { message, spanish } = fault ?? { message: '', spanish: '' };
  expect(spanish).toMatch(/^[A-ZÁ].+\.$/);
  expect(spanish).not.toBe(message);
  if (!/since|born before|2026-01/.test(message)) expect(numbersIn(spanish)).toEqual(numbersIn(message));
  return fault;
}

const accepted = (check: Check, values: string): void => {
  for (const value of values.split(' ')) expect([value, check(value)]).toEqual([value, null]);
};

describe('NSS', () => {
  it('accepts published numbers, leading zeros included', () => {
    accepted(checkNss, '84966311213 48979152914 12345678903 92919084431 01867012344');
  });

  it.each([
    ['84966311214', 'WRONG_CHECK_DIGIT', /wrong: expected 3\./],
    ['01867012343', 'WRONG_CHECK_DIGIT', /wrong: expected 4\./],
    ['1867012344', 'INVALID_FORMAT', /11 digits, leading zeros included; this one has 10 characters/],
    ['8496631121A', 'INVALID_FORMAT', /other characters/],
    ['٨٤٩٦٦٣١١٢١٣', 'INVALID_FORMAT', /other characters/],
    ['00000000000', 'INVALID_FORMAT', /^An NSS of zeros stands for a missing one\. Leave it out\.$/],
    ['0000000000', 'INVALID_FORMAT', /of zeros/],
    ['0', 'INVALID_FORMAT', /of zeros/],
    ['00867012346', 'INVALID_FORMAT', /no subdelegation 00/],
    ['', 'INVALID_FORMAT', /this one has 0/],
  ])('rejects %s', (value, code, message) => {
    expect(faultOf(checkNss, value)).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

describe('CURP', () => {
  it('accepts published codes, including those of people born abroad', () => {
    accepted(
      checkCurp,
      'CACX760510MGTSHC04 FUNK671228MCLNLR05 KAHO641101HNTLKS06 XIQB891116MGRMZR05 VADA800927HSRSRL05 HEGG560427MVZRRL04 MOTR930411HJCRMN03 BOXW310820HNERXN09',
    );
  });

  it.each(['IANL750210HSRNZS09', 'CANF770131HBCSBR08', 'HEGT761003MDFRNN09', 'GOVM800705MCLMLR01'])(
    'rejects the check digit of %s, an invented code',
    (value) => expect(faultOf(checkCurp, value)?.code).toBe('WRONG_CHECK_DIGIT'),
  );

  it('accepts sex X', () => {
    expect(completed('VADA800927XSRSRL0', checkCurp)).toBeNull();
  });

  it('checks 29 February in the century that position 17 gives', () => {
    expect(completed('VADA000229HSRSRLA', checkCurp)).toBeNull();
    expect(checkCurp('VADA000229HSRSRL05')?.message).toMatch(/calendar/);
    expect(completed('VADA800229HSRSRL0', checkCurp)).toBeNull();
  });

  it.each([
    ['CACX760510MGTSHC0', /A CURP has 18 characters; this one has 17\./],
    ['ÑACX760510MGTSHC04', /Ñ is written X/],
    ['CBCX760510MGTSHC04', /second one a vowel or X/],
    ['CACX7605A0MGTSHC04', /YYMMDD/],
    ['CACX760231MGTSHC04', /not in the calendar/],
    ['CACX761310MGTSHC04', /not in the calendar/],
    ['CACX760510AGTSHC04', /H, M or X/],
    ['CACX760510M1TSHC04', /two letters/],
    ['CACX760510MXXSHC04', /no state has this code/],
    ['CACX760510MGTAHC04', /consonants/],
    ['CACX760510MGTSHC-4', /Character 17/],
    ['CACX760510MGTSHC0A', /last character of a CURP is a digit/],
    ['XEXX010101HNEXXXA4', /generic CURP for foreign workers/],
    ['XEXX010101MNEXXXA8', /generic CURP for foreign workers/],
  ])('reports the rule that %s breaks', (value, message) => {
    expect(faultOf(checkCurp, value)).toMatchObject({
      code: 'INVALID_FORMAT',
      message: expect.stringMatching(message),
    });
  });
});

describe('RFC', () => {
  it('accepts people and companies, Ñ and &, and codes in use whose check digit is wrong', () => {
    accepted(checkRfc, 'CACX7605101P8 EKU9003173C9 CAÑF770131PA3 H&E951128469 AAA010101AAA RTO840921REA RTO840921RE4');
  });

  it('accepts 29 February of a year that is a leap year in only one of its centuries', () => {
    accepted(checkRfc, 'EKU0002293C9');
    expect(checkRfc('EKU0102293C9')?.code).toBe('INVALID_FORMAT');
  });

  it.each([
    ['XAXX010101000', /generic RFC for sales to the public/],
    ['XEXX010101000', /generic RFC for foreign residents/],
    ['XXXX010101000', /placeholder for an RFC. It belongs to no person or employer/],
    ['XXX010101000', /placeholder for an RFC/],
    ['EKU9003173C', /12 characters \(company\) or 13 \(person\); this one has 11/],
    ['EK19003173C9', /begins with 3 letters/],
    ['CA1F770131PA3', /begins with 4 letters/],
    ['EKU9013173C9', /not in the calendar/],
    ['EKU90031A3C9', /not in the calendar/],
    ['EKU9003173C_', /ends in/],
    ['EKU9003173CB', /0 to 9 or A/],
  ])('reports the rule that %s breaks', (value, message) => {
    expect(faultOf(checkRfc, value)).toMatchObject({ code: 'INVALID_FORMAT', message: expect.stringMatching(message) });
  });
});

describe('employer registration', () => {
  it('accepts real-looking and computed ones', () => {
    accepted(
      checkEmployerRegistration,
      'Y3926552104 Y6077636105 Y6467489107 Y5242147105 Y6099999408 Y6099999101 Y6012345101 C1234567109',
    );
  });

  it.each([
    ['B5510768108', 'WRONG_CHECK_DIGIT', /wrong: expected 0\./],
    ['Y1234567890', 'WRONG_CHECK_DIGIT', /wrong: expected 7\./],
    ['Y601234510', 'INVALID_FORMAT', /has 10: the check digit at its end is missing/],
    ['Y60123451', 'INVALID_FORMAT', /has 9/],
    ['00000000000', 'INVALID_FORMAT', /^An employer registration of zeros/],
    ['0000000000', 'INVALID_FORMAT', /of zeros/],
    ['YY012345101', 'INVALID_FORMAT', /one letter or digit followed by 10 digits/],
    ['ñ6012345101', 'INVALID_FORMAT', /one letter or digit/],
  ])('rejects %s', (value, code, message) => {
    expect(faultOf(checkEmployerRegistration, value)).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

describe('documents and names', () => {
  it('accepts values that registries use', () => {
    accepted(checkLicenceNumber, '0435151 1629426 12345678 123456789012');
    accepted(checkCertificateFolio, '3F2504E0-4F89-11D3-9A0C-0305E82C3301 3f2504e0-4f89-11d3-9a0c-0305e82c3301 A1');
    accepted(checkReceiptFolio, '000123 1234567890123456789012345');
    accepted(checkYearMonth, '2000-01 2026-12 2100-12');
    for (const name of ['José Luis', "O'Donoghue", 'Ñ', 'de la O']) expect(checkName(name)).toBeNull();
  });

  it.each<[string, Check, string, string?]>([
    ['a licence number with letters', checkLicenceNumber, '12A'],
    ['a licence number that is too long', checkLicenceNumber, '1234567890123'],
    ['an empty licence number', checkLicenceNumber, ''],
    ['licence 0', checkLicenceNumber, '0'],
    ['a licence number of zeros', checkLicenceNumber, '0000000'],
    ['a certificate folio of zeros', checkCertificateFolio, '00000000-0000-0000-0000-000000000000'],
    ['a receipt folio that is too long', checkReceiptFolio, '1'.repeat(26)],
    ['a negative receipt folio', checkReceiptFolio, '-1'],
    ['an empty certificate folio', checkCertificateFolio, ''],
    ['a certificate folio with a line break', checkCertificateFolio, 'abc\n'],
    ['a certificate folio of dashes', checkCertificateFolio, '---'],
    ['a certificate folio that is too long', checkCertificateFolio, 'a'.repeat(65)],
    ['a month without a leading zero', checkYearMonth, '2026-1'],
    ['a month with a day', checkYearMonth, '2026-01-01'],
    ['month 0', checkYearMonth, '2026-00', 'OUT_OF_RANGE'],
    ['month 13', checkYearMonth, '2026-13', 'OUT_OF_RANGE'],
    ['a year before 2000', checkYearMonth, '1999-12', 'OUT_OF_RANGE'],
    ['a year after 2100', checkYearMonth, '2101-01', 'OUT_OF_RANGE'],
    ['a blank name', checkName, '  '],
    ['a name that is too long', checkName, 'x'.repeat(101)],
    ['a name with a line break', checkName, 'ANA\nLUISA'],
    ['a name with a null character', checkName, 'ANA\u0000'],
  ])('rejects %s', (_, check, value, code = 'INVALID_FORMAT') => {
    expect(faultOf(check, value)?.code).toBe(code);
  });
});

describe('every rule', () => {
  it.each<[string, Check, readonly string[]]>([
    ['NSS', checkNss, ['84966311213', '48979152914', '12345678903']],
    ['employer registration', checkEmployerRegistration, ['Y3926552104', 'Y6077636105', 'C1234567109']],
  ])('finds any single wrong digit: %s', (_, check, values) => {
    const flipped = fc
      .tuple(fc.constantFrom(...values), fc.nat(), fc.integer({ min: 1, max: 9 }))
      .map(([value, position, shift]) => {
        const places = [...value].flatMap((character, index) => (/\d/.test(character) ? [index] : []));
        const place = places[position % places.length] ?? 0;
        const digit = (Number(value[place]) + shift) % 10;
        return value.slice(0, place) + digit + value.slice(place + 1);
      });
    fc.assert(fc.property(flipped, (value) => check(value) !== null));
  });

  it.each(CHECKS)('accepts any text without an exception, and never repeats it: %s', (_, check) => {
    const near = fc.stringMatching(/^[A-ZÑ&0-9-]{9,20}$/);
    const repeats = (value: string): boolean => value.length > 6 && Boolean(check(value)?.message.includes(value));
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), near), (value) => !repeats(value)));
  });
});

/** The fault left when a stem is completed by the one check digit that fits; null when there is one. */
function completed(stem: string, check: Check): RuleViolation | null {
  const faults = Array.from({ length: 10 }, (_, digit) => check(`${stem}${digit}`));
  expect(faults.filter((fault) => fault === null).length).toBeLessThanOrEqual(1);
  return faults.includes(null) ? null : (faults[0] ?? null);
}
