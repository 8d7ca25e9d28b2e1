// @ts-check
// The child process that reads a workbook from its input. It writes the names of the sheets, and then the rows that its parent asks
// for, each as one line of JSON. It is plain JavaScript so that tests and the build can both run it.
import { on } from 'node:events';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { Limits, WorkbookError } from './limits.mjs';
import { readSharedStrings, readSheet } from './sheet.mjs';
import { CellFormats, readSheetList } from './workbook.mjs';

/** Number of rows in which the parent searches the header. */
const headRows = 20;
/** Requests of the parent: the position of a sheet whose first rows it needs, or `rest` for the other rows of this sheet. */
const requests = on(process, 'message');
process.on('disconnect', () => process.exit());

try {
  await readWorkbook(await buffer(process.stdin));
} catch (error) {
  await write({ problem: error instanceof WorkbookError ? error.code : 'UNREADABLE' });
}

/** @param {Buffer} bytes */
async function readWorkbook(bytes) {
  const limits = new Limits();
  const { zip, entries } = await openZip(bytes);
  /** @param {string} name */
  const open = async (name) => {
    const entry = entries.get(name.toLowerCase());
    if (entry === undefined) return null;
    if (entry.isEncrypted()) throw new WorkbookError('ENCRYPTED');
    return limits.count(await zip.openReadStreamPromise(entry));
  };
  const { sheets, related, isDate1904 } = await readSheetList(open);
  const formats = await CellFormats.read(await open(related.get('styles') ?? 'xl/styles.xml'), isDate1904);
  const strings = await readSharedStrings(await open(related.get('sharedStrings') ?? 'xl/sharedStrings.xml'), limits);
  await write({ sheets: sheets.map(({ name }) => name) });
  let rows = noRows();
  for await (const [index] of requests) {
    const count = index === 'rest' ? Number.POSITIVE_INFINITY : headRows;
    if (index !== 'rest') {
      const part = await open(sheets[index]?.part ?? '');
      if (part === null) throw new WorkbookError('UNREADABLE');
      await rows.return(undefined);
      rows = readSheet(part, strings, formats);
    }
    for (let written = 0; written < count; ) {
      const { value, done } = await rows.next();
      if (done === true) break;
      const [, cells, notes] = value;
      if (cells.every((cell) => cell.trim() === '') && (notes?.faults ?? []).length === 0) continue;
      await write(value);
      written += 1;
    }
    await write({ end: true });
  }
}

/** @returns {ReturnType<typeof readSheet>} */
async function* noRows() {}

/** @param {Buffer} bytes */
async function openZip(bytes) {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
  const limits = new Limits();
  /** @type {Map<string, yauzl.Entry>} */
  const entries = new Map();
  for await (const entry of zip.eachEntry()) {
    limits.countEntry();
    // Names of parts differ in more than case. Some programs write them in another case than the workbook.
    entries.set(entry.fileName.toLowerCase(), entry);
  }
  return { zip, entries };
}

/** @param {unknown} value */
async function write(value) {
  const isFlushed = process.stdout.write(`${JSON.stringify(value)}\n`);
  if (!isFlushed) await new Promise((resolve) => process.stdout.once('drain', resolve));
}
