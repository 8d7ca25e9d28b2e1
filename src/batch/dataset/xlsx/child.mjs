// @ts-check
// The child process that reads a workbook from its input, and writes one line of JSON for each row: the number of the row, its
// cells as text, and which of them are numbers, dates or booleans. The last line says how the reading ended. It is plain JavaScript so that tests and the build can both run it.
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { Limits, WorkbookError } from './limits.mjs';
import { readSharedStrings, readSheet } from './sheet.mjs';
import { CellFormats, readSheetList } from './workbook.mjs';

try {
  const rows = await readWorkbook(await buffer(process.stdin));
  await write({ end: rows });
} catch (error) {
  await write({ problem: error instanceof WorkbookError ? error.code : 'UNREADABLE' });
}

/**
 * Writes the rows of the first visible sheet that has any. Returns their number.
 * @param {Buffer} bytes
 */
async function readWorkbook(bytes) {
  const limits = new Limits();
  const { zip, entries } = await openZip(bytes);
  /** @param {string} name */
  const open = async (name) => {
    const entry = entries.get(name);
    if (entry === undefined) return null;
    if (entry.isEncrypted()) throw new WorkbookError('ENCRYPTED');
    return limits.count(await zip.openReadStreamPromise(entry));
  };
  const { sheets, isDate1904 } = await readSheetList(open);
  const formats = await CellFormats.read(await open('xl/styles.xml'), isDate1904);
  const strings = await readSharedStrings(await open('xl/sharedStrings.xml'), limits);
  for (const name of sheets) {
    let rows = 0;
    for await (const [line, cells, typed] of readSheet(await open(name), strings, formats)) {
      if (cells.every((cell) => cell.trim() === '')) continue;
      rows += 1;
      await write([line, cells, typed]);
    }
    if (rows > 0) return rows;
  }
  return 0;
}

/** @param {Buffer} bytes */
async function openZip(bytes) {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
  const limits = new Limits();
  /** @type {Map<string, yauzl.Entry>} */
  const entries = new Map();
  for await (const entry of zip.eachEntry()) {
    limits.countEntry();
    entries.set(entry.fileName, entry);
  }
  return { zip, entries };
}

/** @param {unknown} value */
async function write(value) {
  const isFlushed = process.stdout.write(`${JSON.stringify(value)}\n`);
  if (!isFlushed) await new Promise((resolve) => process.stdout.once('drain', resolve));
}
