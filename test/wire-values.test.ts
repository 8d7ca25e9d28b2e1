import fc from 'fast-check';
import { z } from 'zod';
import { buildGraph } from '../src/graph/schema';
import { endpoint } from '../src/registry/endpoint';
import { open } from '../src/registry/envelope';
import { ReceivedHeaders } from '../src/registry/received-headers';
import {
  amount,
  code,
  columns,
  integer,
  listOf,
  members,
  unreadable as notRead,
  optional,
  readerOf,
  requiredText,
  text,
} from '../src/registry/wire-values';

type Reading = readonly [value: unknown, read: unknown];
/** What no documented column holds. */
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

/** As a column of a record, where it may be missing altogether. */
function read(kind: z.ZodType, value: unknown): unknown {
  const record = value === undefined ? {} : { column: value };
  const { success, data } = z.object({ column: kind }).safeParse(record);
  return success ? data.column : unreadable;
}

describe('a column of the wire', () => {
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
  )('reads as text that must be there: %s', (_, kind, value, expected) => {
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

  it('makes the answer unusable where it is of another kind, and says which', () => {
    const findRecord = endpoint({
      name: 'findRecord',
      registry: 'housing',
      method: 'POST',
      path: '/api/x',
      carries: 'query',
      opens: 'list',
      units: 1,
      permission: null,
      batch: false,
      answers: z.array(columns({ names: text, months: integer, inner: z.object({ sum: amount }).nullish() })),
      wire: () => ({}),
      arguments: {},
    });
    const data = [{ names: 'x' }, { names: {}, months: 1 }, { months: true, inner: { sum: [] } }];
    const body = Buffer.from(JSON.stringify({ success: true, status: 200, data }));
    expect(open(findRecord, { kind: 'delivered', status: 200, headers: new ReceivedHeaders([]), body })).toMatchObject({
      kind: 'unusable',
      problems: [{ message: expect.stringContaining('at: 1.names, 2.months, 2.inner.sum.') }],
    });
  });
});

/** Answers by what endpoints document, each member right, of another kind or missing. */
const names = [
  ...[
    'nss',
    'NSS',
    'scurp',
    'curp',
    'mesesomisos',
    'saldoSARTotal',
    'idCedula',
    'url_constancia',
    'nombres',
    'numActa',
  ],
  ...[
    'historial',
    'datosDocProbatorio',
    'meta',
    'params',
    'files',
    'pdf',
    'xml',
    'comprobantes',
    'folio_sua',
    'warnings',
  ],
  ...['count', 'size_bytes', 'id', 'totales_imss', 'totales_rcv', 'label', 'value', 'sujeto_obligado_id', 'fraccion'],
];
const { answer } = fc.letrec<{ answer: unknown }>((tie) => ({
  answer: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double(),
      fc.constantFrom<unknown>(null, undefined, true, '7', ' 7 ', [], {}),
    ),
    fc.array(tie('answer'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('answer'), { noNullPrototype: true, maxKeys: 8 }),
    fc.dictionary(fc.constantFrom(...names), tie('answer'), { noNullPrototype: true, minKeys: 3, maxKeys: 8 }),
  ),
}));

describe('the quick way to read an answer', () => {
  it.each(buildGraph().catalogue.map(({ endpoint }) => [endpoint.name, endpoint.answers as z.ZodType] as const))(
    'reads what the schema reads: %s',
    (_, answers) => {
      fc.assert(
        fc.property(answer, (value) => {
          const { success, data } = answers.safeParse(value);
          expect(readerOf(answers)(value)).toEqual(success ? data : notRead);
        }),
        { numRuns: 300 },
      );
    },
  );

  it('reads each kind of answer, and refuses some', () => {
    const seen = new Set<boolean>();
    const readLicences = readerOf(
      listOf(columns({ idCedula: text, historial: optional(members({ id: requiredText })) })),
    );
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1 }), (value) => void seen.add(readLicences(value) === notRead)),
    );
    expect([...seen].sort()).toEqual([false, true]);
  });
});
