import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';

export const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** Returns a PDF with the signature of all its bytes. It is a comment before the end of the file, where it moves no object. */
export async function signFile(pdf: Buffer, sign: (content: object) => Promise<string>): Promise<Buffer> {
  const [end, jws] = [pdf.lastIndexOf('startxref'), await sign({ pdf: sha256(pdf) })];
  return Buffer.concat([pdf.subarray(0, end), Buffer.from(`%${jws}\n`), pdf.subarray(end)]);
}

/** Returns the signature of a file and the SHA-256 of all other bytes. Returns null if the signature is not where `signFile` writes it. */
export function readFileSignature(file: Buffer): { readonly jws: string; readonly sha256: string } | null {
  const end = file.lastIndexOf('startxref');
  const start = file.lastIndexOf('%', end);
  const [, jws] = /^%(eyJ[\w.-]+)\n$/.exec(file.toString('latin1', start, end)) ?? [];
  return jws === undefined
    ? null
    : { jws, sha256: sha256(Buffer.concat([file.subarray(0, start), file.subarray(end)])) };
}

/** Returns the attached signature of the facts, which is the first stream of a proof. */
export function readAttachment(file: Buffer): string | null {
  const start = file.indexOf('stream\neyJ') + 'stream\n'.length;
  const end = file.indexOf('\nendstream', start);
  return start < 'stream\n'.length || end < 0 ? null : file.toString('latin1', start, end);
}

/** Maximum bytes of the pages that are read, and bytes that a page counts at least. They bound the time for a hostile file. */
const [maxPageBytes, minPageBytes] = [2_000_000, 20_000];
const pageStart = '/FlateDecode\n>>\nstream\n';

/** Returns the text of the pages of a changed proof, as far as they are written as padron writes them. */
export function readPages(file: Buffer): string {
  let [hex, rest, end] = ['', maxPageBytes, 0];
  try {
    for (let start = file.indexOf(pageStart); start >= 0 && rest > 0; start = file.indexOf(pageStart, end)) {
      end = file.indexOf('endstream', start);
      if (end < 0) break;
      const page = inflateSync(file.subarray(start + pageStart.length, end), { maxOutputLength: rest });
      for (const [, digits] of page.toString('latin1').matchAll(/<([\da-f]+)>/g)) hex += digits;
      rest -= Math.max(page.length, minPageBytes);
    }
  } catch {
    // The remaining streams are not as padron writes them.
  }
  return Buffer.from(hex, 'hex').toString('latin1');
}
