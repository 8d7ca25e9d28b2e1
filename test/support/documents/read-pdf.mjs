// Reads a PDF from standard input and writes what it says as JSON. It runs apart from jest, because pdf.js loads its
// worker with import(), which jest's CommonJS modules refuse.
import { buffer } from 'node:stream/consumers';
import { PDFParse } from 'pdf-parse';

const parser = new PDFParse({ data: new Uint8Array(await buffer(process.stdin)) });
const { text, total } = await parser.getText();
const { info } = await parser.getInfo();
await parser.destroy();
process.stdout.write(JSON.stringify({ text, pages: total, title: info.Title, createdAt: info.CreationDate }));
