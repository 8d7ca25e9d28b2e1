// @ts-check
// The child process that reads PDFs. It is plain JavaScript so that tests, `npm run dev` and the build can all run this file.
import { writeFileSync } from 'node:fs';

/** @typedef {import('./pdf-text-reader.js').PdfReading} PdfReading */
/** @typedef {{ readonly str: string, readonly width: number, readonly height: number, readonly transform: readonly unknown[] }} TextItem */

/** Limits of one document. `maxBufferBytes` limits the buffers of its unpacked streams, which V8's memory limit does not count. */
const limits = { maxPages: 60, maxCharacters: 100_000, maxBufferBytes: 64_000_000 };
let remainingBytes = 0;

followParent();
silenceConsole();
boundTypedArrays();
hideCanvas();
// The types of unpdf name files without their endings, which TypeScript does not find.
const { getDocument, VerbosityLevel } = await import(/** @type {string} */ ('unpdf/pdfjs'));

process.on('message', async (/** @type {Uint8Array} */ bytes) => {
  remainingBytes = limits.maxBufferBytes;
  process.send?.(await read(new Uint8Array(bytes)));
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
    // Without this, pdf.js would skip parts that a viewer may show.
    stopAtErrors: true,
  });
  try {
    const pdf = await loading.promise;
    if (pdf.numPages > limits.maxPages) return { problem: 'TOO_LONG' };
    /** @type {(readonly string[])[]} */
    const lines = [];
    /** @type {string[]} */
    const drawn = [];
    let characters = 0;
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      /** @type {{ readonly items: readonly (TextItem | { readonly type: string })[] }} */
      const { items } = await page.getTextContent();
      const texts = items.filter((item) => 'str' in item);
      characters += texts.reduce((sum, { str }) => sum + str.length, 0);
      if (characters > limits.maxCharacters) return { problem: 'TOO_LONG' };
      lines.push(...toLines(texts));
      drawn.push(...texts.map(({ str }) => str));
      page.cleanup();
    }
    return { lines, drawn: drawn.join(' ') };
  } catch {
    // The error is discarded, because its message may quote the document.
    return { problem: 'UNREADABLE' };
  } finally {
    await loading.destroy().catch(() => undefined);
  }
}

/**
 * Returns the lines of a page from top to bottom. Wide gaps divide a line into cells.
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

/** Lets the parent decide when this process ends. A signal to the process group must not interrupt a document while the parent drains. */
function followParent() {
  process.on('disconnect', () => process.exit());
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => undefined);
  try {
    // If the machine runs out of memory, Linux ends this process first.
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Other systems have no such file.
  }
}

/** Silences the console, because no content of a document may reach the log. */
function silenceConsole() {
  const silent = () => undefined;
  Object.assign(console, { log: silent, info: silent, warn: silent, error: silent });
}

/** Limits the size of all buffers, because a small stream may unpack to gigabytes. A document beyond the limit is rejected. */
function boundTypedArrays() {
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct: (target, parameters, newTarget) =>
      Reflect.construct(target, counted(parameters), newTarget === globalThis.Uint8Array ? target : newTarget),
  });
  // The native decompression would not be counted. Without it, pdf.js uses its own.
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

/** Hides native modules. Otherwise pdf.js would load a native canvas if one is installed, and reading text does not need it. */
function hideCanvas() {
  process.getBuiltinModule = () => {
    throw new Error('Native modules are disabled.');
  };
  Object.assign(globalThis, { DOMMatrix: class {}, ImageData: class {}, Path2D: class {} });
}
