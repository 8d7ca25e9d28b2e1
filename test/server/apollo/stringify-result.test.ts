import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import type { FormattedExecutionResult } from 'graphql';
import { isLarge, stringifyInChunks } from '../../../src/server/apollo/stringify-result';
import { turnsUntil } from '../../support/event-loop-turns';

const asJson = (result: unknown): string => `${JSON.stringify(result)}\n`;

/** 200 kB in base64. */
const file = 'QUJD'.repeat(66_667);
/** An object of a class of its own. */
class SentFile {
  constructor(
    readonly filename: string,
    readonly content: string,
  ) {}
}

const withFiles = (count: number): FormattedExecutionResult => ({
  data: { files: Array.from({ length: count }, (_, index) => new SentFile(`${index}.pdf`, file)) },
});

describe('a result', () => {
  it('is written in chunks if it has many bytes of files', () => {
    expect([isLarge(499_999), isLarge(500_000)]).toEqual([false, true]);
  });

  it('is the same text as from JSON.stringify, in chunks too', async () => {
    const result = withFiles(12);
    expect((await text(stringifyInChunks(result))) === asJson(result)).toBe(true);
  });

  it.each([
    ['nothing', { data: null }],
    ['empty places', { data: { list: [], object: {}, nested: [[], [{}], [[null]]] } }],
    ['what JSON has no words for', { data: { a: undefined, b: [undefined, Number.NaN], c: () => 1, d: Symbol('d') } }],
    ['objects without a prototype', { data: Object.assign(Object.create(null), { a: 1, __proto__: { b: 2 } }) }],
    [
      'values that write themselves',
      { data: { at: new Date(0), set: new Set([1]), boxed: [Object('a'), Object(1)], bytes: Buffer.from('a') } },
    ],
    [
      'long texts that need escapes',
      { data: { a: '"\\'.repeat(9_000), b: 'Ñ\u2028😀\ud83d'.repeat(9_000), '"': '\u0000' } },
    ],
    [
      'faults beside data',
      { errors: [{ message: 'no', path: ['a', 0] }], data: { a: null }, extensions: { units: {} } },
    ],
  ])('is the same text with %s', async (_, result) => {
    const expected = asJson(result);
    expect(await text(stringifyInChunks(result))).toBe(expected);
  });

  it('is the same text for any value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (data) => {
        expect(await text(stringifyInChunks({ data }))).toBe(asJson({ data }));
      }),
    );
  });

  it('lets other work run after each file', async () => {
    const result = withFiles(24);
    expect(await turnsUntil(text(stringifyInChunks(result)))).toBeGreaterThanOrEqual(24);
  });

  it('lets other work run between many small values', async () => {
    const data = { records: Array.from({ length: 60_000 }, (_, index) => ({ folio: `${index}`, paidOn: null })) };
    expect(await turnsUntil(text(stringifyInChunks({ data })))).toBeGreaterThanOrEqual(4);
  });
});
