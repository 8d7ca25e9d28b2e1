// @ts-check
// The child process that reads a workbook from its input. It writes the names of the sheets, and then the rows that its parent asks
// for, each as one line of JSON. Its argument is the CPU time in seconds that it may take. It is plain JavaScript so that tests and the build can both run it.
import { on } from 'node:events';
import { writeFileSync } from 'node:fs';
import yauzl from 'yauzl';
import { Limits, maxFileBytes, WorkbookError } from './limits.mjs';
import { readSharedStrings, readSheet } from './sheet.mjs';
import { CellFormats, readSheetList } from './workbook.mjs';

/** Number of rows in which the parent searches the header. */
const headRows = 20;
/** Requests of the parent: the position of a sheet whose first rows it needs, or `rest` for the other rows of this sheet. */
const requests = on(process, 'message');
process.on('disconnect', () => process.exit());
try {
  // If the machine runs out of memory, Linux ends this process before its parent.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Other systems have no such file.
}

try {
  await readWorkbook(await readFile());
} catch (error) {
  await write({ problem: error instanceof WorkbookError ? error.code : 'UNREADABLE' });
}

/** Returns the whole input. The system gives memory to the pages of the buffer that are written, so the file is held once. */
async function readFile() {
  const bytes = Buffer.allocUnsafeSlow(maxFileBytes);
  let length = 0;
  for await (const chunk of process.stdin) {
    if (length + chunk.length > maxFileBytes) throw new WorkbookError('TOO_LARGE');
    length += chunk.copy(bytes, length);
  }
  return bytes.subarray(0, length);
}

/** @param {Buffer} bytes */
async function readWorkbook(bytes) {
  const limits = new Limits(Number(process.argv[2]));
  const { zip, entries } = await openZip(bytes, limits);
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
      const [, cells, , notes] = value;
      if (cells.every((cell) => cell.trim() === '') && (notes?.faults ?? []).length === 0) continue;
      await write(value);
      written += 1;
    }
    await write({ end: true });
  }
}

/** @returns {ReturnType<typeof readSheet>} */
async function* noRows() {}

/**
 * @param {Buffer} bytes
 * @param {Limits} limits
 */
async function openZip(bytes, limits) {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
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
