import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface PdfContent {
  readonly text: string;
  readonly pages: number;
  readonly title: string;
  readonly createdAt: string;
}

/** Returns the text that a PDF library reads in a document, in a separate process. */
export async function pdfContent(pdf: Buffer): Promise<PdfContent> {
  const reader = spawn(process.execPath, [join(__dirname, 'read-pdf.mjs')], { stdio: ['pipe', 'pipe', 'pipe'] });
  // A reader that fails early closes its input. Its error is reported below.
  reader.stdin.on('error', () => undefined);
  reader.stdin.end(pdf);
  const [output, faults] = await Promise.all([text(reader.stdout), text(reader.stderr)]);
  if (output === '') throw new Error(`The PDF cannot be read: ${faults}`);
  return JSON.parse(output) as PdfContent;
}
