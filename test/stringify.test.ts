import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import type { FormattedExecutionResult } from 'graphql';
import { isLarge, noteFileBytes, resultInTurns, stringifyResult } from '../src/server/stringify';

const manyBytes = 5_000_000;
const asJson = (result: unknown): string => `${JSON.stringify(result)}\n`;

/** The result as it is written in parts, by the server itself and for Apollo Server. */
async function writtenInParts(result: FormattedExecutionResult): Promise<readonly string[]> {
  const body = resultInTurns(result);
  noteFileBytes(result, manyBytes);
  const written = stringifyResult(result);
  if (typeof written === 'string') throw new Error('this was written in one go');
  return [await text(body), await written];
}

/** How many turns of the event loop other work got until the promise was kept. */
async function turnsUntil(promise: Promise<unknown>): Promise<number> {
  let turns = 0;
  let timer = setImmediate(function again() {
    turns += 1;
    timer = setImmediate(again);
  });
  await promise;
  clearImmediate(timer);
  return turns;
}

/** 200 kB in base64. */
const file = 'QUJD'.repeat(66_667);
/** What the server's own executor makes of an object. */
class Row {
  constructor(
    readonly filename: string,
    readonly content: string,
  ) {}
}

const withFiles = (count: number): FormattedExecutionResult => ({
  data: { files: Array.from({ length: count }, (_, index) => new Row(`${index}.pdf`, file)) },
});

describe('a result', () => {
  it('without many bytes of files is one text, written at once', () => {
    const result = { data: { person: { credit: null } } };
    expect([isLarge(499_999), isLarge(500_000), stringifyResult(result)]).toEqual([false, true, asJson(result)]);
  });

  it('with many is the same text as JSON.stringify would write', async () => {
    const result = withFiles(12);
    const written = await writtenInParts(result);
    expect(written.map((one) => one === asJson(result))).toEqual([true, true]);
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
    expect(await text(resultInTurns(result))).toBe(expected);
  });

  it('is the same text whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (data) => {
        const expected = asJson({ data });
        expect(await writtenInParts({ data })).toEqual([expected, expected]);
      }),
    );
  });

  it('lets other work have its turn after each file that it writes', async () => {
    const result = withFiles(24);
    const body = resultInTurns(result);
    noteFileBytes(result, manyBytes);
    expect(await turnsUntil(text(body as never))).toBeGreaterThanOrEqual(24);
    expect(await turnsUntil(Promise.resolve(stringifyResult(result)))).toBeGreaterThanOrEqual(23);
  });

  it('lets other work have its turn between many small values too', async () => {
    const data = { records: Array.from({ length: 60_000 }, (_, index) => ({ folio: `${index}`, paidOn: null })) };
    noteFileBytes({ data }, manyBytes);
    expect(await turnsUntil(Promise.resolve(stringifyResult({ data })))).toBeGreaterThanOrEqual(4);
    expect(await turnsUntil(text(resultInTurns({ data })))).toBeGreaterThanOrEqual(4);
  });
});
