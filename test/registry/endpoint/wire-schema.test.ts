import { z } from 'zod';
import { parseEnvelope } from '../../../src/registry/answer/envelope';
import {
  amount,
  code,
  columns,
  endpoint,
  integer,
  requiredText,
  text,
  warnings,
} from '../../../src/registry/endpoint/endpoint';

type Reading = readonly [value: unknown, read: unknown];
/** Values that no documented column contains. */
const unreadable = Symbol('unreadable');
const readings = (kind: z.ZodType, values: readonly Reading[]) =>
  values.map(([value, expected]): readonly [string, z.ZodType, unknown, unknown] => [
    value === undefined ? 'nothing' : JSON.stringify(value),
    kind,
    value,
    expected,
  ]);

const never: readonly Reading[] = [true, false, {}, [], ['x'], Number.POSITIVE_INFINITY].map((value) => [
  value,
  unreadable,
]);
const absent: readonly Reading[] = [
  [null, null],
  [undefined, null],
];
const blank: readonly Reading[] = ['', '  ', '\u00a0'].map((value) => [value, null]);

/** Reads the value as a column of a record, in which it may be missing. */
function read(kind: z.ZodType, value: unknown): unknown {
  const record = value === undefined ? {} : { column: value };
  const { success, data } = z.object({ column: kind }).safeParse(record);
  return success ? data.column : unreadable;
}

describe('a column of a wire record', () => {
  it.each(
    readings(text, [
      ...[...absent, ...blank, ...never],
      ['a', 'a'],
      [' a ', ' a '],
      ['012', '012'],
      [12, '12'],
      [1.5, '1.5'],
    ]),
  )('reads as text: %s', (_, kind, value, expected) => {
    expect(read(kind, value)).toBe(expected);
  });

  it.each(readings(code, [...[...absent, ...blank, ...never], [' héla800101 ', 'HÉLA800101'], [12, '12']]))(
    'reads as an identifier: %s',
    (_, kind, value, expected) => {
      expect(read(kind, value)).toBe(expected);
    },
  );

  it.each(
    readings(requiredText, [
      ...never,
      ...[...absent, ...blank].map(([value]): Reading => [value, unreadable]),
      [' a ', ' a '],
      [0, '0'],
    ]),
  )('reads as required text: %s', (_, kind, value, expected) => {
    expect(read(kind, value)).toBe(expected);
  });

  it.each(
    readings(integer, [
      ...[...absent, ...blank, ...never],
      [7, 7],
      ['007', 7],
      [' 7 ', 7],
      [2 ** 31 - 1, 2 ** 31 - 1],
      [2 ** 31, null],
      ['2147483648', null],
      ['-2147483647', -2_147_483_647],
      [1.5, null],
      ['1.5', null],
      ['1e999', null],
      ['seven', null],
    ]),
  )('reads as a whole number: %s', (_, kind, value, expected) => {
    expect(read(kind, value)).toBe(expected);
  });

  it.each(readings(amount, [...absent, ...never, ['', ''], ['1,234.50', '1,234.50'], [1234.5, 1234.5]]))(
    'reads as an amount: %s',
    (_, kind, value, expected) => {
      expect(read(kind, value)).toBe(expected);
    },
  );

  it.each<Reading>([
    ...[null, undefined, []].map((value): Reading => [value, []]),
    [
      ['a', 7, { b: null }],
      ['a', '7', '{"b":null}'],
    ],
    ['a', unreadable],
    [{}, unreadable],
  ])('reads as warnings: %j', (value, expected) => {
    expect(read(warnings, value)).toEqual(expected);
  });

  it.each<readonly [what: string, schema: z.ZodType, data: readonly unknown[], places: string]>([
    [
      'is of another kind',
      z.array(columns({ names: text, months: integer, inner: z.object({ sum: amount }).nullish() })),
      [{ names: 'x' }, { names: {}, months: 1 }, { months: true, inner: { sum: [] } }],
      '1.names, 2.months, 2.inner.sum',
    ],
    [
      'is missing though it may not be',
      z.array(columns({ names: text, link: requiredText, inner: z.object({ id: requiredText }).nullish() })),
      [{ names: 'x' }, { link: 'y', inner: {} }],
      '0.link, 1.inner.id',
    ],
    ['is in no record', z.array(columns({ link: requiredText })), [{ id: 1 }, 'x', []], '0, 1, 2'],
  ])('makes the answer unusable if it %s, and the message names the column', (_what, schema, data, places) => {
    const findRecord = endpoint({
      name: 'findRecord',
      registry: 'housing',
      method: 'POST',
      path: '/api/x',
      encoding: 'query',
      envelope: 'list',
      units: 1,
      permission: null,
      scope: 'test',
      batch: false,
      schema,
      toWire: () => ({}),
      argumentPaths: {},
      matches: 'NAMES_NOBODY',
    });
    const body = Buffer.from(JSON.stringify({ success: true, status: 200, data }));
    expect(parseEnvelope(findRecord, { kind: 'delivered', status: 200, headers: {}, body })).toMatchObject({
      kind: 'unusable',
      problems: [{ message: expect.stringContaining(`at: ${places}.`) }],
    });
  });
});
