import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import JSZip from 'jszip';
import { ResultTable } from '../../../../src/extensions/batch/results/result-table';
import { tableWords } from '../../../../src/extensions/batch/results/table-words';
import { toXlsxCell, writeXlsx } from '../../../../src/extensions/batch/results/write-xlsx';
import type { BatchRow, RowStore } from '../../../../src/extensions/batch/storage/row-store';
import { readWorkbook } from '../../../support/documents/read-workbook';
import { sheetPart } from '../../../support/documents/write-workbook';

const words = tableWords.en;

describe('a cell of a workbook', () => {
  it.each([
    ['input', '007', '007', '@'],
    ['input', '=1+1', '=1+1', '@'],
    ['input', '2025-01-31', '2025-01-31', '@'],
    ['text', '04159600263', '04159600263', '@'],
    ['number', 12, 12, 'General'],
    ['boolean', true, true, 'General'],
    ['decimal', '1234.50', 1234.5, '0.00'],
    ['decimal', '-7', -7, '0'],
    ['decimal', '0.000000000000001', '0.000000000000001', '@'],
    ['decimal', '12345678901234.56', '12345678901234.56', '@'],
    ['decimal', '007.5', '007.5', '@'],
    ['decimal', '-0', '-0', '@'],
    ['decimal', 'unknown', 'unknown', '@'],
    ['day', '2025-01-31', 45_688, 'yyyy-mm-dd'],
    ['day', '1900-03-01', 61, 'yyyy-mm-dd'],
    ['day', '1900-02-28', '1900-02-28', '@'],
    ['day', '2025-02-30', '2025-02-30', '@'],
    ['day', '31/01/2025', '31/01/2025', '@'],
    ['enum', 'Found', 'Found', '@'],
    ['time', '2025-01-31 18:00:00', 45_688.75, 'yyyy-mm-dd hh:mm:ss'],
    ['time', '2025-01-31 24:00:01', '2025-01-31 24:00:01', '@'],
    ['times', '2025-01-31 18:00:00', '2025-01-31 18:00:00', '@'],
    ['typed', '12500.50', 12_500.5, '0.00'],
    ['typed', '0.30000000000000004', 0.1 + 0.2, 'General'],
    ['typed', '1234567890123456', '1234567890123456', '@'],
    ['typed', '007', '007', '@'],
    ['typed', '2025-01-31T18:00:00', 45_688.75, 'yyyy-mm-dd hh:mm:ss'],
    ['typed', '2025-01-31', 45_688, 'yyyy-mm-dd'],
    ['typed', '31/01/2025', '31/01/2025', '@'],
    ['typed', 'TRUE', true, 'General'],
    ['typed', '=1+1', '=1+1', '@'],
    ['text', '', null, '@'],
    ['text', null, null, '@'],
  ] as const)('of the kind %s with %j is %j with the format %s', (kind, value, expected, format) => {
    expect(toXlsxCell(value, kind, words)).toEqual({ value: expected, format });
  });

  it('is cut if Excel could not open it, and says so', () => {
    const { value } = toXlsxCell('😀'.repeat(20_000), 'text', words);
    expect(String(value).length).toBeLessThanOrEqual(32_767);
    expect(String(value)).toMatch(/^(?:😀)+… \[The text has 40000 characters, which is too long for a cell\./u);
  });
});

/** Waits until no row was read for a while. Returns the number of rows that were read. */
async function untilStill(seen: { readonly read: number }): Promise<number> {
  for (let before = -1; before !== seen.read; ) {
    before = seen.read;
    await sleep(300);
  }
  return seen.read;
}

describe('a workbook of many rows', () => {
  const columns = ['NSS', 'name'].map((name) => ({ name, isTyped: false, readPath: null }));
  const table = new ResultTable('en', columns, [], 'UTC');

  /** Rows as a store has them, and how many of them were read. */
  function rowsOf(count: number, name = () => randomBytes(400).toString('base64')) {
    const seen = { read: 0 };
    const row = (number: number): BatchRow => ({
      ...{ number, state: 'DONE', attempts: 1, units: 1, uncertain: 0, doubtful: false, ref: null, line: number + 1 },
      ...{ variables: {}, cells: [String(number).padStart(11, '0'), name()], remarks: [] },
      result: null,
    });
    const store: Pick<RowStore, 'sizes' | 'read'> = {
      sizes: async (_filter, after, size) =>
        Array.from({ length: Math.min(size, count - after) }, (_item, index) => ({
          number: after + index + 1,
          bytes: 1_000,
        })),
      read: async (numbers) => {
        seen.read += numbers.length;
        return numbers.map(row);
      },
    };
    return { rows: store as RowStore, seen };
  }

  it('has every row in order', async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of writeXlsx(rowsOf(2_500).rows, table)) chunks.push(chunk);
    const { texts } = await readWorkbook(Buffer.concat(chunks));
    expect(texts).toHaveLength(2_501);
    expect(texts.at(-1)?.slice(0, 3)).toEqual(['00000002500', expect.any(String), 'Done']);
  });

  it('keeps blanks, and has the form of workbooks for what XML cannot contain', async () => {
    const chunks: Buffer[] = [];
    const { rows } = rowsOf(1, () => ' <&>"\u0001\r_x0041_\uFFFE ');
    for await (const chunk of writeXlsx(rows, table)) chunks.push(chunk);
    const sheet = await (await JSZip.loadAsync(Buffer.concat(chunks))).file(sheetPart)?.async('text');
    expect(sheet).toContain('<t xml:space="preserve"> &lt;&amp;&gt;&quot;_x0001__x000D__x005F_x0041_\uFFFD </t>');
  });

  it('has a header even without rows', async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of writeXlsx(rowsOf(0).rows, table)) chunks.push(chunk);
    expect((await readWorkbook(Buffer.concat(chunks))).texts).toEqual([
      ['NSS', 'name', 'State', 'Problem', 'Problem codes', 'Remarks', 'Line', 'Units', 'Uncertain units'],
    ]);
  });

  it('reads rows no faster than its reader takes them, and stops with its reader', async () => {
    const { rows, seen } = rowsOf(100_000);
    const file = writeXlsx(rows, table);
    await file.next();
    const waiting = await untilStill(seen);
    expect(waiting).toBeLessThan(10_000);
    while (seen.read === waiting) await file.next();
    await file.return(undefined);
    const stopped = seen.read;
    await sleep(250);
    expect(seen.read).toBe(stopped);
  });

  it('can be left at any moment, and then reads no more rows', async () => {
    const left = [];
    for (const [count, chunks] of [
      [0, 0],
      [0, 1],
      [60, 2],
      [500, 3],
      [30_000, 1],
      [30_000, 8],
    ] as const) {
      const { rows, seen } = rowsOf(count);
      const file = Readable.from(writeXlsx(rows, table));
      const iterator = file[Symbol.asyncIterator]();
      for (let read = 0; read < chunks; read += 1) await iterator.next();
      file.destroy();
      await nextTurn();
      left.push({ seen, read: seen.read });
    }
    await sleep(250);
    // A page that was being read may still arrive.
    for (const { seen, read } of left) expect(seen.read - read).toBeLessThanOrEqual(1_000);
  });

  it('fails for its reader if the rows cannot be read', async () => {
    const { rows } = rowsOf(5_000);
    const failing = { sizes: rows.sizes, read: () => Promise.reject(new Error('The store is unavailable.')) };
    const read = async () => {
      for await (const _chunk of writeXlsx(failing as unknown as RowStore, table));
    };
    await expect(read()).rejects.toThrow('The store is unavailable.');
  });
});
