// @ts-check
// Reads the text of PDFs in a thread of its own. Plain JavaScript, since a thread is started from a file as it is: tests,
// `npm run dev` and the build all run this one.
import { parentPort, workerData } from 'node:worker_threads';

/** @typedef {import('./pdf-text-reader.js').PdfReading} PdfReading */
/** @typedef {import('./pdf-text-reader.js').PdfLimits} PdfLimits */
/** @typedef {import('pdfjs-dist/types/src/display/api.js').TextItem} TextItem */

/** @type {PdfLimits} */
const limits = workerData;
/** What is left of the memory that one document may ask for outside of the heap, which resourceLimits do not count. */
let remainingBytes = 0;

silenceConsole();
boundTypedArrays();
hideCanvas();
const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');
// pdf.js would import it with the first document; a document's time should be its own.
await import(/** @type {string} */ ('pdfjs-dist/legacy/build/pdf.worker.mjs'));

parentPort?.on('message', async (/** @type {Uint8Array} */ bytes) => {
  remainingBytes = limits.maxBufferBytes;
  parentPort?.postMessage(await read(bytes));
});

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<PdfReading>}
 */
async function read(bytes) {
  const loading = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    disableFontFace: true,
    enableXfa: false,
  });
  try {
    const pdf = await loading.promise;
    if (pdf.numPages > limits.maxPages) return { problem: 'TOO_LONG' };
    /** @type {(readonly string[])[]} */
    const lines = [];
    let characters = 0;
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const texts = items.filter((item) => 'str' in item);
      characters += texts.reduce((sum, { str }) => sum + str.length, 0);
      if (characters > limits.maxCharacters) return { problem: 'TOO_LONG' };
      lines.push(...toLines(texts));
      page.cleanup();
    }
    return { lines };
  } catch {
    // Its words may quote the document.
    return { problem: 'UNREADABLE' };
  } finally {
    await loading.destroy().catch(() => undefined);
  }
}

/**
 * The lines as they stand on the page, from top to bottom; what a wide gap sets apart in a line is a cell.
 * @param {readonly TextItem[]} items
 * @returns {readonly (readonly string[])[]}
 */
function toLines(items) {
  const placed = items
    .filter(({ str }) => str.trim() !== '')
    .map(({ str, width, height, transform }) => {
      const [, , , , x = 0, y = 0] = /** @type {readonly number[]} */ (transform);
      return { text: str, x, y, end: x + width, size: height || 10 };
    })
    .sort((left, right) => right.y - left.y);
  /** @type {(typeof placed)[]} */
  const rows = [];
  for (const item of placed) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    if (row !== undefined && first !== undefined && first.y - item.y < Math.min(first.size, item.size) / 2)
      row.push(item);
    else rows.push([item]);
  }
  return rows.map((row) => toCells(row.sort((left, right) => left.x - right.x)));
}

/**
 * @param {readonly { readonly text: string, readonly x: number, readonly end: number, readonly size: number }[]} row
 * @returns {readonly string[]}
 */
function toCells(row) {
  /** @type {string[]} */
  const cells = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const { text, x, end: next, size } of row) {
    const gap = x - end;
    if (gap > size) cells.push(text);
    else cells[cells.length - 1] += gap > size / 8 ? ` ${text}` : text;
    end = Math.max(end, next);
  }
  return cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
}

/** Nothing of a document may reach the log; and output of a thread that waits to be written holds the process open. */
function silenceConsole() {
  const silent = () => undefined;
  Object.assign(console, { log: silent, info: silent, warn: silent, error: silent });
}

/** A small stream may unpack to gigabytes: its buffers count against a limit, and the document is refused beyond it. */
function boundTypedArrays() {
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct: (target, parameters, newTarget) =>
      Reflect.construct(target, counted(parameters), newTarget === globalThis.Uint8Array ? target : newTarget),
  });
  // The native one would unpack without counting; pdf.js has its own.
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
}

/**
 * @param {readonly unknown[]} parameters
 * @returns {readonly unknown[]}
 */
function counted(parameters) {
  const [length] = parameters;
  if (typeof length === 'number') {
    remainingBytes -= length;
    if (remainingBytes < 0) throw new RangeError('The document takes too much memory.');
  }
  return parameters;
}

/** pdf.js would load a native canvas where one is installed, and asks for its matrix while it loads: text needs neither. */
function hideCanvas() {
  process.getBuiltinModule = () => {
    throw new Error('No native modules here.');
  };
  Object.assign(globalThis, { DOMMatrix: class {}, ImageData: class {}, Path2D: class {} });
}
