// Reads a PDF from standard input and writes what it says as JSON. It runs apart from jest, because pdf.js loads its
// worker with import(), which jest's CommonJS modules refuse.
import { buffer } from 'node:stream/consumers';

// pdf.js asks for these while it loads. Text needs none of them.
Object.assign(globalThis, { DOMMatrix: class {}, ImageData: class {}, Path2D: class {} });
const { getDocument, VerbosityLevel } = await import('unpdf/pdfjs');

const data = new Uint8Array(await buffer(process.stdin));
const pdf = await getDocument({ data, verbosity: VerbosityLevel.ERRORS, useSystemFonts: false }).promise;
const pages = [];
for (let number = 1; number <= pdf.numPages; number += 1) {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  pages.push(items.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join(''));
}
const { info } = await pdf.getMetadata();
await pdf.destroy();
const { Title: title, CreationDate: createdAt } = info;
process.stdout.write(JSON.stringify({ text: pages.join('\n'), pages: pdf.numPages, title, createdAt }));
