import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvCell } from '../../src/identifiers/csv-cell';
import {
  endOfDayInMexicoCity,
  monthsBetween,
  parseCompactDate,
  parseDayFirstDate,
  parseDayFirstDateTime,
  parseInstant,
  parseIsoDate,
} from '../../src/identifiers/dates';
import { amountOf, parseDecimal } from '../../src/identifiers/decimals';
import { foldName, padNss, stripSeparators } from '../../src/identifiers/normalise';
import { processorTime } from '../support/processor-time';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[0-9/:TZ+.,$ -]{0,30}$/),
  fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/),
);
const anyDay = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

describe('dates', () => {
  it.each([
    [parseCompactDate, '20240131', '2024-01-31'],
    [parseCompactDate, '20240229', '2024-02-29'],
    [parseCompactDate, '20230229', null],
    [parseCompactDate, '00000000', null],
    [parseCompactDate, '', null],
    [parseCompactDate, null, null],
    [parseDayFirstDate, '31/01/2024', '2024-01-31'],
    [parseDayFirstDate, '01/31/2024', null],
    [parseDayFirstDate, '31/04/2024', null],
    [parseIsoDate, '1980-01-31', '1980-01-31'],
    [parseIsoDate, '1980-01-31T00:00:00.000000Z', '1980-01-31'],
    [parseIsoDate, '1980-01-311', null],
    [parseIsoDate, '0001-01-01', null],
    [parseDayFirstDateTime, '31/01/2024 13:05:59', '2024-01-31T13:05:59'],
    [parseDayFirstDateTime, '31/01/2024 24:00:00', null],
    [parseDayFirstDateTime, '31/02/2024 13:05:59', null],
    [parseDayFirstDateTime, '31/01/2024', null],
    [parseInstant, '2026-02-01T03:00:00.000000Z', '2026-02-01T03:00:00.000Z'],
    [parseInstant, '2026-02-01T03:00:00Z', '2026-02-01T03:00:00.000Z'],
    [parseInstant, '2026-02-01T03:00Z', '2026-02-01T03:00:00.000Z'],
    [parseInstant, '2026-01-31 21:00:00.5-06:00', '2026-02-01T03:00:00.500Z'],
    [parseInstant, '2026-01-31T21:00:00-0600', '2026-02-01T03:00:00.000Z'],
    [parseInstant, '2026-02-01T05:30:00+02:30', '2026-02-01T03:00:00.000Z'],
    [parseInstant, '2026-02-01 03:00:00 UTC', '2026-02-01T03:00:00.000Z'],
    [parseInstant, '2026-02-01T03:00:00', null],
    [parseInstant, '2026-02-30T03:00:00Z', null],
    [parseInstant, '2026-02-01T25:00:00Z', null],
    [parseInstant, '2026-02-01T03:00:00+25:00', null],
  ])('%p reads %p as %p', (read, text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it('reads back every day that it wrote', () => {
    fc.assert(
      fc.property(anyDay, (date) => {
        const iso = date.toISOString();
        const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-');
        expect(parseCompactDate(`${year}${month}${day}`)).toBe(iso.slice(0, 10));
        expect(parseDayFirstDate(`${day}/${month}/${year}`)).toBe(iso.slice(0, 10));
        expect(parseDayFirstDateTime(`${day}/${month}/${year} ${iso.slice(11, 19)}`)).toBe(iso.slice(0, 19));
        expect(parseInstant(iso)).toBe(iso);
      }),
    );
  });

  it('gives the normal form of any text, or null', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const read of [parseCompactDate, parseDayFirstDate, parseIsoDate]) {
          expect(read(text) ?? '2024-01-31').toMatch(/^\d{4}-\d\d-\d\d$/);
        }
        expect(parseDayFirstDateTime(text) ?? '2024-01-31T13:05:59').toMatch(/^\d{4}(-\d\d){2}T\d\d(:\d\d){2}$/);
        expect(parseInstant(text) ?? '2026-02-01T03:00:00.000Z').toMatch(/^\d{4}(-\d\d){2}T\d\d(:\d\d){2}\.\d{3}Z$/);
        expect(monthsBetween(text, '2024-01')).toEqual([]);
      }),
    );
  });
});

describe('months', () => {
  it('lists both ends and everything between', () => {
    expect(monthsBetween('2024-11', '2025-02')).toEqual(['2024-11', '2024-12', '2025-01', '2025-02']);
    expect(monthsBetween('2024-11', '2024-11')).toEqual(['2024-11']);
  });

  it('lists nothing for a reversed range or one with a month that does not exist', () => {
    expect(monthsBetween('2024-11', '2024-10')).toEqual([]);
    expect(monthsBetween('2024-13', '2025-01')).toEqual([]);
    expect(monthsBetween('0000-01', '9999-12')).toEqual([]);
  });
});

describe('the end of a day in Mexico City', () => {
  it.each([
    ['2026-02-01T03:00:00.000Z', '2026-02-01T05:59:59.000Z'],
    ['2026-02-01T05:59:59.999Z', '2026-02-01T05:59:59.000Z'],
    ['2026-02-01T06:00:00.000Z', '2026-02-02T05:59:59.000Z'],
    ['2026-07-01T12:00:00.000Z', '2026-07-02T05:59:59.000Z'],
    // Summer time was still kept in 2022, and began and ended on these days.
    ['2022-04-03T06:30:00.000Z', '2022-04-04T04:59:59.000Z'],
    ['2022-10-30T05:30:00.000Z', '2022-10-31T05:59:59.000Z'],
  ])('%s ends at %s', (now, expected) => {
    expect(endOfDayInMexicoCity(new Date(now)).toISOString()).toBe(expected);
  });
});

describe('decimals', () => {
  it.each<[string | number | null, string | null]>([
    ['10.50', '10.50'],
    [' 1234.56', '1234.56'],
    ['1,234.56', '1234.56'],
    ['1,234,567', '1234567'],
    ['$1,234.56', '1234.56'],
    ['-$5.00', '-5.00'],
    ['$-5.00', '-5.00'],
    ['+7', '7'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-0', '0'],
    ['-0.00', '0.00'],
    ['007', '7'],
    ['99999999999999999999.99', '99999999999999999999.99'],
    [0.1, '0.1'],
    [-0, '0'],
    [1e21, '1000000000000000000000'],
    [1.5e21, '1500000000000000000000'],
    [1e-7, '0.0000001'],
    [-1.25e-7, '-0.000000125'],
    [4.65325, '4.65325'],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [null, null],
    ['', null],
    ['.', null],
    ['$', null],
    ['1.234,56', null],
    ['0,123', null],
    ['1,23', null],
    ['12,34,567', null],
    ['1e5', null],
    ['--5', null],
    ['-$-5', null],
    ['5 MXN', null],
    ['(5.00)', null],
    ['NaN', null],
  ])('reads %p as %p', (value, expected) => {
    expect(parseDecimal(value)).toBe(expected);
  });

  it('writes every number without an exponent, and reads it back as the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = parseDecimal(value);
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(text)).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it('gives the normal form of any text, or null', () => {
    fc.assert(fc.property(anyText, (text) => expect(parseDecimal(text) ?? '0').toMatch(/^-?\d+(\.\d+)?$/)));
  });
});

describe('an amount in pesos', () => {
  it.each([
    [0, '1.20', '0.00'],
    [3, '1.20', '3.60'],
    [3, '1.2', '3.60'],
    [1, '1', '1.00'],
    [7, '0.05', '0.35'],
    [1_204, '1.2', '1444.80'],
    [3, '1.2345', '3.7035'],
    [9_007_199_254_740_991, '999999.99', '9007199164668998452590.09'],
  ])('is exact: %i units at %s are %s', (units, price, amount) => {
    expect(amountOf(units, price)).toBe(amount);
  });

  it('is null without a price', () => {
    expect(amountOf(3, null)).toBeNull();
  });

  it('of a sum of units is the sum of their amounts', () => {
    const cents = (amount: string | null): bigint => BigInt((amount ?? '').replace('.', ''));
    const prices = fc.tuple(fc.integer({ min: 0, max: 9_999 }), fc.integer({ min: 0, max: 99 }));
    fc.assert(
      fc.property(prices, fc.nat(), fc.nat(), ([whole, fraction], first, second) => {
        const price = `${whole}.${String(fraction).padStart(2, '0')}`;
        const parts = cents(amountOf(first, price)) + cents(amountOf(second, price));
        expect(cents(amountOf(first + second, price))).toBe(parts);
      }),
    );
  });
});

describe('a cell of CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+52 55', "'+52 55"],
    ['-A1', "'-A1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['  =1', "'  =1"],
    ['\t=1', '"\'\t=1"'],
    ['\u200b=1', "'\u200b=1"],
    ['＝1', "'＝1"],
    ['="04159600263"', '"=""04159600263"""'],
    ['="1"&A1', '"\'=""1""&A1"'],
    ["'04159600263", "'04159600263"],
    ['-12.50', '-12.50'],
    ['-', '-'],
    ['--1', "'--1"],
    ['a"b,c', '"a""b,c"'],
    ['MUÑOZ', 'MUÑOZ'],
    ['Ana;=1+1', '"Ana;\'=1+1"'],
    ['55 1234; +52 55', '"55 1234; \'+52 55"'],
    ['Ana;;"@SUM(A1)', '"Ana;;""\'@SUM(A1)"'],
    ['Ana\n＝1', '"Ana\n\'＝1"'],
    ['\n-A1', '"\'\n\'-A1"'],
    ['4; -12.50; -3', '"4; -12.50; -3"'],
    ['Calle 5, -B', '"Calle 5, -B"'],
    ["Ana;'=1", '"Ana;\'=1"'],
  ])('does not become a formula: %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  // An Excel with Spanish settings of Spain splits at semicolons. It only recognizes quotes at the beginning of a cell.
  it.each(['x;=1+1;y', 'x;"=1+1;y', 'x\n=1+1', 'x;\r\n;@SUM(A1)', '\n=1+1', 'x; \u200b=1+1;-3'])(
    'does not become a formula if a spreadsheet splits at semicolons: %j',
    (text) => {
      const line = `007,${csvCell(text)},end\r\n`;
      const cells: string[][] = parse(line, { delimiter: ';', relax_quotes: true, relax_column_count: true });
      expect(cells.length + (cells[0]?.length ?? 0)).toBeGreaterThan(2);
      for (const cell of cells.flat()) expect(cell).not.toMatch(/^[\s"\u200b]*[=+@]/);
    },
  );

  it('takes no longer than its length allows', () => {
    for (const text of ['\n'.repeat(1_000_000), ';-1'.repeat(300_000)])
      expect(processorTime(() => csvCell(text))).toBeLessThan(50 * processorTime(() => text.replace(/./gs, ' $&')));
  });
});

describe('normal forms', () => {
  it('squeeze blanks once and for all', () => {
    expect(stripSeparators(stripSeparators(' cañf-77 '))).toBe(stripSeparators(' cañf-77 '));
  });

  it('fold case, accents, Ñ and blanks of names, and nothing more', () => {
    expect(foldName('  José  Núñez\tO’Farrill ')).toBe('JOSE NUNEZ O’FARRILL');
    expect(foldName('Jose\u0301 Nu\u0301n\u0303ez')).toBe(foldName('JOSÉ NÚÑEZ'));
    expect(foldName('Peña')).not.toBe(foldName('Pea'));
  });

  it('restore the leading zeros of an NSS', () => {
    expect(padNss(1867012344)).toBe('01867012344');
    expect(padNss('1867012344')).toBe('01867012344');
    expect(padNss('84966311213')).toBe('84966311213');
    expect(padNss('N/A')).toBe('N/A');
  });
});
