import { z } from 'zod';
import { parseEnvelope } from '../../../src/registry/answer/envelope';
import {
  amount,
  code,
  columns,
  endpoint,
  ifReadable,
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
      [2 ** 31, unreadable],
      ['2147483648', unreadable],
      ['-2147483647', -2_147_483_647],
      [1.5, unreadable],
      ['1.5', unreadable],
      ['1e999', unreadable],
      ['seven', unreadable],
    ]),
  )('reads as a whole number: %s', (_, kind, value, expected) => {
    expect(read(kind, value)).toBe(expected);
  });

  it.each(
    readings(amount, [
      ...[...absent, ...never],
      ['', ''],
      ['1,234.50', '1,234.50'],
      [1234.5, 1234.5],
      ['seven', unreadable],
    ]),
  )('reads as an amount: %s', (_, kind, value, expected) => {
    expect(read(kind, value)).toBe(expected);
  });

  it.each<Reading>([
    ...[null, undefined, []].map((value): Reading => [value, []]),
    [
      ['a', 7, { b: null }],
      ['a', '7', '{"b":null}'],
    ],
    ['a', ['a']],
    [{}, ['{}']],
  ])('reads as warnings: %j', (value, expected) => {
    expect(read(warnings, value)).toEqual(expected);
  });

  const parse = (schema: z.ZodType, data: readonly unknown[]) => {
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
    return parseEnvelope(findRecord, { kind: 'delivered', status: 200, headers: {}, body });
  };

  it.each<readonly [what: string, schema: z.ZodType, data: readonly unknown[], payload: unknown, paths: string]>([
    [
      'is of another kind',
      z.array(columns({ names: text, months: integer, inner: ifReadable(z.object({ sum: amount }).nullable()) })),
      [{ names: 'x' }, { names: {}, months: 1, inner: 7 }, { months: true, inner: { sum: [] } }],
      [
        { names: 'x', months: null, inner: null },
        { names: null, months: 1, inner: undefined },
        { names: null, months: null, inner: { sum: null } },
      ],
      '1.names, 1.inner, 2.months, 2.inner.sum',
    ],
    [
      'is missing though it may not be',
      z.array(
        columns({ names: text, link: requiredText, entries: ifReadable(z.array(columns({ id: requiredText }))) }),
      ),
      [{ names: 'x' }, { link: 'y', entries: [{ id: 1 }, {}] }],
      [
        { names: 'x', link: undefined, entries: undefined },
        { names: null, link: 'y', entries: [{ id: '1' }, { id: undefined }] },
      ],
      '0.link, 0.entries',
    ],
    [
      'is a whole record',
      z.array(columns({ link: requiredText, curp: code, sum: amount })),
      [{ link: 'y' }, 'x', { sum: [] }],
      [
        { link: 'y', curp: null, sum: null },
        { link: undefined, curp: undefined, sum: null },
        { link: undefined, curp: undefined, sum: null },
      ],
      '1',
    ],
    [
      'is every entry of a list',
      z.array(columns({ link: requiredText, entries: ifReadable(z.array(columns({ id: requiredText }))) })),
      [{ link: 'y', entries: ['x', { id: [] }] }],
      [{ link: 'y', entries: undefined }],
      '0.entries',
    ],
    [
      'has no schema that accepts null',
      z.array(columns({ link: requiredText, inner: ifReadable(z.object({ id: z.string() })) })),
      [{ link: 'y', inner: { id: 7 } }],
      [{ link: 'y', inner: undefined }],
      '0.inner',
    ],
  ])('is left out of the answer if it %s, with a remark for each column', (_what, schema, data, payload, paths) => {
    const read = parse(schema, data);
    expect(read).toEqual({ kind: 'found', payload, remarks: expect.anything(), meta: expect.anything() });
    const remarks = 'remarks' in read ? (read.remarks ?? []) : [];
    expect(remarks.map(({ path }) => path?.join('.')).join(', ')).toBe(paths);
    for (const { code, message, path, isRemark } of remarks)
      expect([code, message.includes(`\`${path?.join('.')}\``), isRemark]).toEqual(['FIELD_UNREADABLE', true, true]);
  });

  it('has one remark for all records of a list, which says how many', () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ names: 'x', months: index < 7 ? 1 : {} }));
    expect(parse(z.array(columns({ names: text, months: integer })), rows)).toMatchObject({
      kind: 'found',
      remarks: [{ path: ['7', 'months'], message: expect.stringContaining('like 992 more') }],
    });
  });

  it.each<readonly [what: string, schema: z.ZodType, data: readonly unknown[], places: string]>([
    ['no entry is a record', z.array(columns({ link: requiredText })), [{ id: 1 }, 'x', []], '0, 1, 2'],
    ['no column can be read', z.array(columns({ link: requiredText, sum: amount })), [{ sum: {} }], '0.link, 0.sum, 0'],
  ])('makes the answer unusable if %s, and the message names the places', (_what, schema, data, places) => {
    expect(parse(schema, data)).toMatchObject({
      kind: 'unusable',
      problems: [{ message: expect.stringContaining(`at: ${places}.`) }],
    });
  });
});
