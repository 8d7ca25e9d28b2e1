import fc from 'fast-check';
import { z } from 'zod';
import { buildGraph } from '../src/graph/schema/build-schema';
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

  it.each<readonly [what: string, answers: z.ZodType, data: readonly unknown[], places: string]>([
    [
      'is of another kind',
      z.array(columns({ names: text, months: integer, inner: z.object({ sum: amount }).nullish() })),
      [{ names: 'x' }, { names: {}, months: 1 }, { months: true, inner: { sum: [] } }],
      '1.names, 2.months, 2.inner.sum',
    ],
    [
      'is missing though it may not be',
      listOf(columns({ names: text, link: requiredText, inner: optional(members({ id: requiredText })) })),
      [{ names: 'x' }, { link: 'y', inner: {} }],
      '0.link, 1.inner.id',
    ],
    ['stands in no record', listOf(columns({ link: requiredText })), [{ id: 1 }, 'x', []], '0, 1, 2'],
  ])('makes the answer unusable where it %s, and says which', (_what, answers, data, places) => {
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
      answers,
      wire: () => ({}),
      arguments: {},
    });
    const body = Buffer.from(JSON.stringify({ success: true, status: 200, data }));
    expect(open(findRecord, { kind: 'delivered', status: 200, headers: new ReceivedHeaders([]), body })).toMatchObject({
      kind: 'unusable',
      problems: [{ message: expect.stringContaining(`at: ${places}.`) }],
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

  it('reads and refuses a list of records within records as its schema does', () => {
    const licences = listOf(columns({ idCedula: text, historial: optional(members({ id: requiredText })) }));
    const cell = fc.constantFrom<unknown>('x', null, 7, {}, { id: 'y' }, { id: null }, []);
    const record = fc.dictionary(fc.constantFrom('idCedula', 'historial', 'other'), cell, { noNullPrototype: true });
    const read: boolean[] = [];
    fc.assert(
      fc.property(fc.array(record, { maxLength: 2 }), (value) => {
        const { success, data } = licences.safeParse(value);
        read.push(success);
        expect(readerOf(licences)(value)).toEqual(success ? data : notRead);
      }),
      { seed: 20_261_120, numRuns: 500 },
    );
    expect(Math.min(...[true, false].map((way) => read.filter((one) => one === way).length))).toBeGreaterThan(50);
  });
});
