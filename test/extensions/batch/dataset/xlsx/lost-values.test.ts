import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as startRequest } from 'node:http';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import JSZip from 'jszip';
import { acquireReader } from '../../../../../src/extensions/batch/dataset/xlsx/workbook-process';
import { sheetPart, sheetXml, withParts, writeWorkbook } from '../../../../support/documents/write-workbook';
import { ledgerPadronForTests } from '../../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../../support/requests/batches';
import { engineRig } from '../../../../support/stores/engines';

const [first = '', second = ''] = NSS;
const operation = 'query Credit($nss: NSS!, $curp: CURP) { person(nss: $nss, curp: $curp) { credit { outcome } } }';
const text = (reference: string, value: string): string =>
  `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (number: number, cells: string, attributes = ''): string =>
  `<row r="${number}"${attributes}>${cells}</row>`;
const partOf = async (book: Buffer, name: string): Promise<Buffer> =>
  (await JSZip.loadAsync(book)).file(name)?.async('nodebuffer') ?? Buffer.alloc(0);
const header = row(1, text('A1', 'nss') + text('B1', 'curp') + text('C1', 'Notas'));

describe('a value that a workbook does not have', () => {
  const padron = ledgerPadronForTests(engineRig());
  const client = new BatchClient(padron);

  const sheet = async (...rows: readonly string[]): Promise<Buffer> =>
    withParts(await writeWorkbook([['nss']]), { [sheetPart]: sheetXml([header, ...rows].join('')) });

  async function send(book: Buffer) {
    const { batch } = await client.create({ operation });
    const { status, body } = await client.upload(batch.uploadUrl, book, 'application/octet-stream');
    return { id: batch.id, status, ...body, message: body.errors?.[0].message };
  }

  /** Sends one good row, and a row with this cell for the optional CURP. */
  const sendCell = async (cell: string) =>
    send(await sheet(row(2, text('A2', first)), row(3, text('A3', second) + cell)));

  const remarksOf = async (id: string) => {
    const query = 'query($id: ID!) { registryBatch(id: $id) { rows { rows { remarks } } } }';
    const { rows } = (await client.ask(query, { id })).registryBatch;
    return rows.rows.map(({ remarks }: { readonly remarks: readonly string[] }) => remarks);
  };

  const noValue = 'curp: The cell is a formula without a value. Open the workbook in Excel and save it.';

  it.each([
    ['a formula without a value', '<c r="B3"><f>VLOOKUP(A3,X:Y,2,0)</f></c>', noValue],
    ['a formula with an empty value, as openpyxl writes it', '<c r="B3"><f>A3</f><v></v></c>', noValue],
    ['a formula for a text without a value', '<c r="B3" t="str"><f>A3</f></c>', noValue],
    [
      'a shared text that does not exist',
      '<c r="B3" t="s"><v>99</v></c>',
      'curp: The text of the cell is missing in the workbook. Open the workbook in Excel and save it.',
    ],
    [
      'an error',
      '<c r="B3" t="e"><f>A3</f><v>#N/A</v></c>',
      'curp: The cell has an error, such as #N/A. Correct it, or clear the cell.',
    ],
  ])('refuses its row, also in an optional column: %s', async (_what, cell, message) => {
    expect(await sendCell(cell)).toMatchObject({
      rows: 1,
      refusedCount: 1,
      refused: [{ line: 3, column: 'curp', message }],
    });
    expect(padron.calls()).toEqual([]);
  });

  it('refuses a row that has nothing else, in Spanish too', async () => {
    const { id } = await send(await sheet(row(2, text('A2', first)), row(3, '<c r="A3"><f>B3</f></c>')));
    const spanish = new BatchClient(padron, undefined, { 'accept-language': 'es' });
    expect((await spanish.get(id)).refusedRows).toMatchObject([
      { line: 3, message: 'nss: La celda es una fórmula sin valor. Abra el libro en Excel y guárdelo.' },
    ]);
  });

  it('is only remarked on in a column that fills no variable', async () => {
    const { id, rows } = await send(await sheet(row(2, `${text('A2', first)}<c r="C2"><f>A2</f></c>`)));
    expect(rows).toBe(1);
    await client.until(id, 'READY');
    expect(await remarksOf(id)).toEqual([
      ['Notas: The cell is a formula without a value. Open the workbook in Excel and save it.'],
    ]);
  });

  it.each([
    [
      'a formula whose value is an empty text, as Excel stores it',
      '<c r="B3" t="str"><f>IF(A3=1,A3,"")</f><v></v></c>',
    ],
    ['a cell for a shared text that has none', '<c r="B3" t="s"/>'],
    ['a cell for a boolean that has none', '<c r="B3" t="b"/>'],
  ])('is not missing if the cell is empty: %s', async (_what, cell) => {
    const { id, rows } = await sendCell(cell);
    expect(rows).toBe(2);
    expect((await client.until(id, 'READY')).estimate).toMatchObject({ rowCount: 2, invalidRows: 0 });
  });

  it('is not moved to another column: references in lower case are read, and others are refused', async () => {
    const lower = await send(await sheet(row(2, text('a2', first)), row(3, text('a3', second) + text('c3', 'x'))));
    expect(lower).toMatchObject({ status: 200, rows: 2, refusedCount: 0 });
    for (const cells of [
      text('2', first),
      text('A2', first) + text('A2', second),
      text('A2', first) + text('a2', second),
    ])
      expect((await send(await sheet(row(2, cells)))).message).toMatch(/The workbook cannot be read/);
  });

  it('is found in parts whose names are spelled differently, and a missing part is not ignored', async () => {
    const book = await writeWorkbook([['nss'], [first]]);
    const strings = await partOf(book, 'xl/sharedStrings.xml');
    const moved = await withParts(book, { 'xl/sharedStrings.xml': null, 'xl/SharedStrings.xml': strings });
    expect(await send(moved)).toMatchObject({ status: 200, rows: 1 });
    for (const part of ['xl/sharedStrings.xml', sheetPart])
      expect((await send(await withParts(book, { [part]: null }))).message).toMatch(/The workbook cannot be read/);
  });

  it('is kept with all its digits', async () => {
    const { id } = await send(await sheet(row(2, `${text('A2', first)}<c r="C2"><v>12345678901234567890</v></c>`)));
    await client.until(id, 'READY');
    const { batch } = await client.change(`startRegistryBatch(id: "${id}", maxUnits: 10)`);
    await client.until(id, 'DONE');
    expect((await client.download(batch.csvUrl)).text).toContain(',12345678901234567890,');
  });

  it('is not lost in a hidden row, which runs with a remark', async () => {
    const hidden = row(3, text('A3', second), ' hidden="1"');
    const { id, ...sent } = await send(await sheet(row(2, text('A2', first)), hidden));
    expect(sent).toMatchObject({ rows: 2, refusedCount: 0 });
    await client.until(id, 'READY');
    const remark = 'The row is hidden in the workbook, by a filter or by hand. It runs like the others.';
    expect(await remarksOf(id)).toEqual([[], [remark]]);
  });
});

const source = join(__dirname, '../../../../../src/extensions/batch/dataset/xlsx');

describe('the readers of workbooks', () => {
  it('leave one for other accounts, however many workbooks an account has sent', async () => {
    const started: string[] = [];
    const ends: Promise<() => void>[] = ['a', 'a', 'a', 'a', 'b', 'c'].map(async (owner) => {
      const release = await acquireReader(owner);
      started.push(owner);
      return release;
    });
    await nextTurn();
    expect(started).toEqual(['a', 'b']);
    (await ends[0])?.();
    await nextTurn();
    expect(started).toEqual(['a', 'b', 'c']);
    for (const end of [4, 5, 1, 2, 3]) (await ends[end])?.();
    expect(started).toEqual(['a', 'b', 'c', 'a', 'a', 'a']);
  });

  /** Sends a workbook to a reader with this CPU time. Returns its first line, and the most memory that it took. */
  async function read(book: Buffer, cpuSeconds: number) {
    const child = spawn(process.execPath, [join(source, 'child.mjs'), String(cpuSeconds)], {
      stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
    });
    child.stdin?.end(book);
    const [line] = await once(child.stdout?.setEncoding('utf8') ?? child, 'data');
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    child.kill('SIGKILL');
    return { first: JSON.parse(line), memory: Number(kilobytes) * 1_024 };
  }

  it('hold a file once, so that they take its size and little more', async () => {
    const picture = 150_000_000;
    const zip = await JSZip.loadAsync(await writeWorkbook([['NSS']]));
    zip.file('xl/media/image1.png', Buffer.alloc(picture), { compression: 'STORE' });
    const { first, memory } = await read(await zip.generateAsync({ type: 'nodebuffer' }), 30);
    expect(first).toEqual({ sheets: ['Plantilla'] });
    expect(memory).toBeGreaterThan(picture);
    expect(memory).toBeLessThan(picture + 130_000_000);
  });

  it('refuse a file that takes more CPU time than they have', async () => {
    expect((await read(await writeWorkbook([['NSS']]), 0)).first).toEqual({ problem: 'TOO_LARGE' });
  });
});

describe('a workbook', () => {
  const padron = ledgerPadronForTests(engineRig());
  const client = new BatchClient(padron);
  const uploadUrl = async (): Promise<string> => (await client.create({ operation: CREDIT })).batch.uploadUrl;

  /** Begins to send a file, and sends the rest when `end` is called. Returns the status of the response then. */
  async function sendSlowly(file: Buffer) {
    const upload = startRequest(await uploadUrl(), { method: 'POST', headers: { 'content-length': file.length } });
    const response = once(upload, 'response');
    upload.write(file.subarray(0, 1_000));
    return {
      end: async (): Promise<number> => {
        upload.end(file.subarray(1_000));
        const [{ statusCode }] = await response;
        return statusCode;
      },
    };
  }

  it('is read while other workbooks are still arriving, however many these are', async () => {
    const file = await writeWorkbook([['nss'], [NSS[0] ?? '']]);
    const slow = await Promise.all([sendSlowly(file), sendSlowly(file), sendSlowly(file)]);
    // The first bytes of the slow uploads have been read.
    await sleep(500);
    const upload = client.upload(await uploadUrl(), file, 'application/octet-stream');
    const first = await Promise.race([upload, sleep(40_000, 'still waiting', { ref: false })]);
    expect(first).toMatchObject({ status: 200, body: { rows: 1 } });
    expect(await Promise.all(slow.map(({ end }) => end()))).toEqual([200, 200, 200]);
    expect(padron.calls()).toEqual([]);
  });
});
