import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { CellValue } from '@cj-tech-master/excelts';
import { parse } from 'csv-parse/sync';
import JSZip from 'jszip';
import { ResultTable } from '../../../../src/extensions/batch/results/result-table';
import { tableWords } from '../../../../src/extensions/batch/results/table-words';
import { toXlsxCell, writeXlsx } from '../../../../src/extensions/batch/results/write-xlsx';
import type { BatchRow, RowStore } from '../../../../src/extensions/batch/storage/row-store';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { readWorkbook } from '../../../support/documents/read-workbook';
import { sheetPart, writeWorkbook } from '../../../support/documents/write-workbook';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, NSS } from '../../../support/requests/batches';
import { card } from '../../../support/sandbox/cards';
import { engineRig } from '../../../support/stores/engines';

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

const operation = 'query($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
const zeroNss = people.find(({ nss }) => nss.startsWith('0'))?.nss ?? '';
const [first = '', second = ''] = NSS.filter((nss) => !nss.startsWith('0'));

describe('the own columns of a user in the results', () => {
  const padron = ledgerPadronForTests(engineRig());
  const client = new BatchClient(padron, undefined, { 'accept-language': 'es-MX' });

  async function resultsOf(file: string | Buffer, input: object = {}) {
    const { csvUrl, xlsxUrl } = await client.runFile({ operation, ...input }, file);
    const csv: string[][] = parse((await client.download(csvUrl)).text, { bom: true });
    const sheet = await readWorkbook(await client.downloadBytes(xlsxUrl));
    const column = (header: string) => {
      const place = sheet.texts[0]?.indexOf(header) ?? -1;
      const cells = sheet.texts.slice(1).map((texts, row) => `${sheet.kinds[row + 1]?.[place]} ${texts[place]}`);
      return { csv: csv.slice(1).map((row) => row[place]), cells };
    };
    return { headers: csv[0] ?? [], sheet, column };
  }

  const header = ['NSS', 'Ingreso', 'Registro', 'Sueldo', 'Factor', 'Planta', 'Teléfono', 'CP', 'Clave', 'CLABE'];
  const row = (nss: CellValue, salary: CellValue): readonly CellValue[] => [
    ...[nss, new Date('2020-01-15'), new Date('2020-01-15T13:30:00Z'), salary, 0.1 + 0.2, true],
    ...['5512345678', 6_700, '1001', '002180700000000123'],
  ];

  it('are dates, numbers and booleans in the workbook if they were in the uploaded one, and else text', async () => {
    const rows = [row(Number(first), 12_500.5), row(Number(zeroNss), 9_000), row(second, 'por definir')];
    const file = await writeWorkbook([header, ...rows], { 2: 'dd/mm/yyyy', 3: 'dd/mm/yyyy hh:mm', 8: '00000' });
    const { column } = await resultsOf(file);
    expect(column('NSS')).toEqual({
      csv: [first, zeroNss.slice(1), second],
      cells: [first, zeroNss.slice(1), second].map((nss) => `text ${nss}`),
    });
    expect(column('Ingreso').cells).toEqual(rows.map(() => 'day 2020-01-15'));
    expect(column('Registro').cells).toEqual(rows.map(() => 'day 2020-01-15 13:30:00'));
    expect(column('Registro').csv).toEqual(rows.map(() => '2020-01-15T13:30:00'));
    expect(column('Sueldo').cells).toEqual(['number 12500.5', 'number 9000', 'text por definir']);
    expect(column('Factor').cells[0]).toBe('number 0.30000000000000004');
    expect(column('Planta').cells[0]).toMatch(/^boolean /);
    const texts = { Teléfono: '5512345678', CP: '06700', Clave: '1001', CLABE: '002180700000000123' };
    for (const [name, text] of Object.entries(texts))
      expect([name, column(name).cells]).toEqual([name, rows.map(() => `text ${text}`)]);
  });

  it('are numbers and days from a CSV only if the whole column is unambiguous', async () => {
    const lines = [
      'Clave,NSS,Ingreso,Alta,Sueldo,Bono,Teléfono,CP,Nota',
      `1001,${first},2020-01-15,15/01/2020,12500.50,,5512345678,06700,=1+1`,
      `1002,${second},2021-02-30,01/02/2021,9000,150,55123,14000,7`,
    ];
    const { column } = await resultsOf(lines.join('\n'), { refColumn: 'Clave' });
    const textColumns = { Clave: ['1001', '1002'], NSS: [first, second], Alta: ['15/01/2020', '01/02/2021'] };
    const texts = { ...textColumns, Teléfono: ['5512345678', '55123'], CP: ['06700', '14000'] };
    for (const [name, cells] of Object.entries(texts))
      expect([name, column(name).cells]).toEqual([name, cells.map((text) => `text ${text}`)]);
    expect(column('Ingreso').cells).toEqual(['day 2020-01-15', 'text 2021-02-30']);
    expect(column('Sueldo')).toEqual({ csv: ['12500.50', '9000'], cells: ['number 12500.50', 'number 9000'] });
    expect(column('Bono').cells).toEqual(['empty ', 'number 150']);
    expect(column('Nota')).toEqual({ csv: ["'=1+1", '7'], cells: ['text =1+1', 'number 7'] });
  });

  it('keep their text beside a column with the value as padron read it, if padron repaired one', async () => {
    const used = `query($nss: NSS!, $reg: EmployerRegistration!, $mes: YearMonth!) { person(nss: $nss) { credit { outcome } }
      employer(registration: $reg) @skip(if: true) { receipts(period: $mes) { outcome } } }`;
    const reg = card('not-found', 'registration');
    const file = `N.S.S.,Mes,reg\n${zeroNss.slice(1)},enero de 2025,${reg}\n${first},2025-02,${reg}\n${second},03/04,${reg}\n`;
    const { headers, column } = await resultsOf(file, { operation: used });
    expect(headers.slice(3, 10)).toEqual([
      ...['Estado', 'Problema', 'Códigos de problema', 'Observaciones', 'N.S.S. (leído)', 'Mes (leído)', 'Línea'],
    ]);
    expect(column('N.S.S.').csv).toEqual([zeroNss.slice(1), first, second]);
    expect(column('N.S.S. (leído)').cells).toEqual([`text ${zeroNss}`, `text ${first}`, 'empty ']);
    expect(column('Mes (leído)').csv).toEqual(['2025-01', '2025-02', '']);
    expect(column('Estado').csv).toEqual(['Hecha', 'Hecha', 'Rechazada']);
  });

  it('are numbers and booleans from JSON lines if they were there', async () => {
    const rows = [
      { nss: first, sueldo: 12_500.5, planta: true, clave: '1001', ingreso: '2020-01-15' },
      { clave: '1002', nss: second, sueldo: null, planta: false, ingreso: '' },
    ];
    const { column } = await resultsOf(rows.map((each) => `${JSON.stringify(each)}\n`).join(''));
    expect(column('sueldo').cells[0]).toBe('number 12500.5');
    expect(column('planta').cells).toEqual([expect.stringMatching(/^boolean /), expect.stringMatching(/^boolean /)]);
    expect(column('clave').cells).toEqual(['text 1001', 'text 1002']);
    expect(column('ingreso').cells[0]).toBe('text 2020-01-15');
  });
});
