import JSZip from 'jszip';
import { readXlsx } from '../../../../../src/extensions/batch/dataset/xlsx/read-xlsx';
import { ArrivingFile } from '../../../../../src/extensions/batch/dataset/xlsx/workbook-process';
import { sheetPart, sheetXml, withParts, writeWorkbook } from '../../../../support/documents/write-workbook';
import { inFullRun } from '../../../../support/full-run';
import { slowness } from '../../../../support/processor-time';

async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}

async function read(bytes: Buffer, header = 'NSS') {
  const { dataset, close } = await readXlsx(inChunks(bytes), (columns) => columns.includes(header), null, 'a');
  try {
    const rows: unknown[] = [];
    for await (const row of dataset.rows) rows.push('cells' in row ? [row.line, ...row.cells] : row);
    return { columns: dataset.columns, headerLine: dataset.headerLine, rows };
  } finally {
    close();
  }
}

/** Returns a workbook whose sheet has these rows. */
const bookOf = async (rows: string): Promise<Buffer> =>
  withParts(await writeWorkbook([['NSS']]), { [sheetPart]: sheetXml(rows) });

describe('a workbook', () => {
  it('is read as text: numbers, dates, booleans, formulas, rich text and formats that add zeros', async () => {
    const day = new Date('2025-01-15');
    const rich = { richText: [{ text: 'Pe' }, { text: 'ña', font: { bold: true } }] };
    const bytes = await writeWorkbook(
      [
        ['Plantilla noviembre 2026'],
        [],
        [' NSS ', 'Ingreso', 'Mes', 'Activo', 'Nombre', 'Número', 'Fórmula'],
        ['04159600263', day, new Date('2025-03-01'), true, rich, 4159600263, { formula: '1+1', result: 2 }],
        [],
        [
          4159600263,
          new Date('2025-01-15T13:30:00Z'),
          null,
          false,
          'Íñigo 🙂',
          0.5,
          { formula: '"0"&4', result: '04' },
        ],
      ],
      { 1: '00000000000', 3: 'mmm-yy' },
    );
    expect(await read(bytes)).toEqual({
      columns: ['NSS', 'Ingreso', 'Mes', 'Activo', 'Nombre', 'Número', 'Fórmula'],
      headerLine: 3,
      rows: [
        [4, '04159600263', '2025-01-15', '2025-03-01', 'TRUE', 'Peña', '4159600263', '2'],
        [6, '04159600263', '2025-01-15T13:30:00', '', 'FALSE', 'Íñigo 🙂', '0.5', '04'],
      ],
    });
  });

  it('keeps accents with any division of the file into parts', async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `Ñandú Íñigo Peña ${'ñ'.repeat(index % 50)}`);
    const bytes = await writeWorkbook([['NSS', 'Nombre'], ...names.map((name, index) => [String(index), name])]);
    expect((await read(bytes)).rows.map((row) => (row as string[])[2])).toEqual(names);
  });

  it('may have elements with prefixes, no references of cells, and no shared strings', async () => {
    const data =
      '<x:row><x:c t="inlineStr"><x:is><x:t>NSS</x:t></x:is></x:c></x:row><x:row><x:c><x:v>1E+10</x:v></x:c></x:row>';
    const xml = `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>${data}</x:sheetData></x:worksheet>`;
    const bytes = await withParts(await writeWorkbook([['NSS']]), { [sheetPart]: xml, 'xl/sharedStrings.xml': null });
    expect(await read(bytes)).toMatchObject({ rows: [[2, '10000000000']] });
  });

  it('may have encoded characters, and rows with invalid row numbers', async () => {
    const rows = ['NSS', 'JUAN_x000D_ P_x00C9_REZ', '_x000_'].map((text, index) => {
      const number = ['1', '99999999999', 'x'][index];
      return `<row r="${number}"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;
    });
    expect(await read(await bookOf(rows.join('')))).toMatchObject({
      rows: [
        [2, 'JUAN\r PÉREZ'],
        [3, '_x000_'],
      ],
    });
  });

  const zip = async (parts: Readonly<Record<string, string>>): Promise<Buffer> => {
    const archive = new JSZip();
    for (const [name, content] of Object.entries(parts)) archive.file(name, content);
    return archive.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
  };
  const cell = (text: string): string => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;

  const expectRejection = async (write: () => Promise<Buffer>, message: RegExp): Promise<void> => {
    const bytes = await write();
    const before = process.cpuUsage();
    await expect(read(bytes)).rejects.toThrow(message);
    // The child process takes the time. This one may collect what the test has written.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(3_000 * slowness());
  };

  it.each([
    ['another archive', () => zip({ 'a.txt': 'a' }), /ZIP archive, but not an .xlsx/],
    [
      'an archive that is cut',
      async () => (await writeWorkbook([['NSS'], ['1']])).subarray(0, 2_000),
      /cannot be read/,
    ],
    ['only a signature', async () => Buffer.from('PK\x03\x04'), /cannot be read/],
    ['no rows', () => writeWorkbook([]), /no visible sheet with rows/],
    ['a part that is not XML', () => bookOf('<row><c></row>'), /cannot be read/],
    [
      'entities that grow',
      async () =>
        withParts(await writeWorkbook([['NSS']]), {
          [sheetPart]: `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1_000)}"><!ENTITY b "&a;&a;&a;">]>${sheetXml(cell('&b;'))}`,
        }),
      /cannot be read/,
    ],
  ])('is rejected, and does not block this process: %s', (_what, write, message) => expectRejection(write, message));

  it('is read if its main part has another name, which `_rels/.rels` has', async () => {
    const bytes = await writeWorkbook([['NSS'], ['1']]);
    const { files } = await JSZip.loadAsync(bytes);
    const text = async (name: string): Promise<string> => (await files[name]?.async('string')) ?? '';
    const renamed = await withParts(bytes, {
      '_rels/.rels': (await text('_rels/.rels')).replace('xl/workbook.xml', 'xl/workbook22.xml'),
      'xl/workbook.xml': null,
      'xl/_rels/workbook.xml.rels': null,
      'xl/workbook22.xml': await text('xl/workbook.xml'),
      'xl/_rels/workbook22.xml.rels': await text('xl/_rels/workbook.xml.rels'),
    });
    expect(await read(renamed)).toMatchObject({ columns: ['NSS'], rows: [[2, '1']] });
  });

  it('is none if its main part is a document', async () => {
    const relations = (target: string) =>
      `<Relationships><Relationship Id="a" Type="x/officeDocument" Target="${target}"/></Relationships>`;
    const document = await zip({ '_rels/.rels': relations('word/document.xml'), 'word/document.xml': '<document/>' });
    await expect(read(document)).rejects.toThrow(/ZIP archive, but not an .xlsx/);
  });

  inFullRun.each<[string, () => Promise<Buffer>]>([
    [
      'more rows than a sheet of Excel, although they are blank',
      () => bookOf(`${cell('NSS')}${'<row><c><v> </v></c></row>'.repeat(1_048_576)}`),
    ],
    ['a cell of 200 MB', () => bookOf(cell('a'.repeat(200_000_000)))],
    [
      'shared strings that fill the memory',
      async () =>
        withParts(await writeWorkbook([['NSS']]), {
          'xl/sharedStrings.xml': `<sst>${'<si><t>abcdefgh</t></si>'.repeat(4_000_000)}</sst>`,
        }),
    ],
  ])('is rejected, and does not block this process: %s', (_what, write) =>
    expectRejection(write, /too much memory or time/),
  );
});

const chunk = Buffer.alloc(1_000_000);

/** Yields 100 MB. `count` is the number of chunks that have been read. */
class LargeUpload {
  count = 0;

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (; this.count < 100; this.count += 1) yield chunk;
  }
}

async function sizeOf(file: ArrivingFile | undefined): Promise<number> {
  let size = 0;
  for await (const part of file?.read() ?? []) size += part.length;
  return size;
}

describe('files that arrive', () => {
  it('are held in memory up to a limit for all of them, and are read completely', async () => {
    const uploads = [new LargeUpload(), new LargeUpload(), new LargeUpload()] as const;
    const [first, second, third] = uploads.map((upload) => new ArrivingFile(upload));
    await first?.receive();
    await second?.receive();
    expect(uploads.map(({ count }) => count)).toEqual([63, 0, 0]);
    expect(await sizeOf(first)).toBe(100_000_000);
    expect(await sizeOf(second)).toBe(100_000_000);
    await third?.receive();
    expect(uploads[2].count).toBe(63);
    third?.discard();
    const next = new LargeUpload();
    const last = new ArrivingFile(next);
    await last.receive();
    expect(next.count).toBe(63);
    last.discard();
  });

  it('of small parts count as more than their bytes, because each part takes memory itself', async () => {
    let parts = 0;
    async function* slowly(): AsyncGenerator<Buffer> {
      for (; parts < 1_000_000; parts += 1) yield chunk.subarray(0, 1);
    }
    const file = new ArrivingFile(slowly());
    await file.receive();
    expect(parts).toBeLessThan(150_000);
    file.discard();
  });
});
