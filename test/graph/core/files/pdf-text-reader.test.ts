import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { renderOpinion } from '../../../../src/extensions/sandbox/documents/certificates';
import { PdfTextReader } from '../../../../src/graph/core/files/pdf-text-reader';
import { opinion } from '../../../support/documents/documents';
import { emptyHostilePdfs, hostilePdfs } from '../../../support/documents/hostile-pdfs';

describe('a PDF read as text', () => {
  let reader: PdfTextReader;
  beforeEach(() => {
    reader = new PdfTextReader();
  });
  afterEach(() => reader.close());

  const linesOf = async (pdf: Buffer) => {
    const reading = await reader.read(pdf);
    if ('problem' in reading) throw new Error(reading.problem);
    return reading.lines;
  };

  it('keeps its lines and the columns within them', async () => {
    const lines = await linesOf(await renderOpinion(opinion));
    expect(lines).toContainEqual(['Sentido de la opinión: NEGATIVA']);
    expect(lines).toContainEqual(['Nombre o razón social', 'PEÑA Y ÑANDÚ SA DE CV']);
    expect(lines).toContainEqual(['202606', 'C1234567109', '$98,765,432.10']);
  });

  it('is read once, however often it is used', async () => {
    const pdf = await renderOpinion(opinion);
    const [first, second] = await Promise.all([linesOf(pdf), linesOf(pdf)]);
    expect(second).toBe(first);
    expect(await linesOf(pdf)).toBe(first);
    // The reader works on its own copy of the bytes.
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('is read by the first free process of at most two, which stop with the reader', async () => {
    expect(reader.processCount).toBe(0);
    const pdfs = await Promise.all(
      Array.from({ length: 6 }, (_, day) =>
        renderOpinion({ ...opinion, issuedAt: new Date(Date.UTC(2026, 8, day + 1)) }),
      ),
    );
    const readings = pdfs.map(linesOf);
    expect(reader.processCount).toBe(2);
    expect(new Set((await Promise.all(readings)).map((lines) => JSON.stringify(lines))).size).toBe(6);
    expect(reader.processCount).toBe(2);
    await reader.close();
    expect(reader.processCount).toBe(0);
  });

  it.each(hostilePdfs)('is rejected if it contains %s', async (_, problem, make) => {
    expect(await reader.read(make())).toEqual({ problem: expect.stringMatching(problem) });
    // Whatever became of its process, the next document is read.
    expect(await linesOf(await renderOpinion(opinion))).not.toEqual([]);
  });

  it.each(emptyHostilePdfs)('is empty or rejected if it contains %s', async (_, make) => {
    const reading = await reader.read(make());
    expect('problem' in reading ? [] : reading.lines).toEqual([]);
  });

  it('does not keep the parent process running by its children', () => {
    const script = `
      const { PdfTextReader } = require('./src/graph/core/files/pdf-text-reader.ts');
      const reader = new PdfTextReader();
      reader.read(Buffer.from('%PDF-1.7')).then((reading) => console.log(JSON.stringify(reading)));
      setTimeout(() => undefined, 4000);`;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--require', 'tsx/cjs', '--eval', script], {
      cwd: join(__dirname, '../../../..'),
      encoding: 'utf8',
      timeout: 15_000,
    });
    expect({ stdout, stderr, status }).toEqual({ stdout: '{"problem":"UNREADABLE"}\n', stderr: '', status: 0 });
  });
});
