import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { errors, type JSONWebKeySet } from 'jose';
import { exitCodes, FileError, parseOptions, type Report, text, UsageError } from '../../cli/command-arguments';
import { PdfTextReader } from '../../graph/core/files/pdf-text-reader';
import { signatureName } from './document';
import { type Facts, findChange, linesOf } from './facts';
import { readSignature } from './signature';

export async function verify(args: readonly string[]): Promise<Report> {
  const { positionals, values } = parseOptions(args, { keys: text }, true);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0 || values.keys === undefined)
    throw new UsageError('Name one proof, and the file of the public keys with --keys.');
  const bytes = readFile(file);
  const keys = parseKeys(readFile(values.keys).toString());
  if (keys === null) throw new FileError(`${values.keys} is not what padron returns at /.well-known/jwks.json.`);
  const { jws, cells } = await readProof(file, bytes);
  if (jws === null) return failed(`${file} has no signature of padron.`);
  try {
    const facts = (await readSignature(jws, keys)) as Facts & { readonly sha256?: string };
    if (facts.v !== 1) throw new FileError(`${file} is of a later version of padron. Check it with that version.`);
    const lines = linesOf({ ...facts, entries: facts.entries ?? [] });
    const change = cells === null ? null : findChange(cells, lines);
    if (change !== null || (cells !== null && facts.sha256 !== undefined))
      return failed(`${file} was changed at ${change ?? 'its signature: it is that of a QR code'}.`);
    const shown = lines.filter(([label]) => label !== '').map(([label, value]) => `${label}: ${value}\n`);
    if (facts.sha256 !== undefined) shown.push(`SHA-256 of ${signatureName} in the document: ${facts.sha256}\n`);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const report = `${file} is valid. Signed facts:\n\n${shown.join('')}\nSHA-256 of ${file}: ${sha256}\n`;
    return { text: report, isData: false, code: exitCodes.done };
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    if (!(error instanceof errors.JWKSNoMatchingKey)) return failed(`${file} is not valid: its signature is damaged.`);
    return failed(`${values.keys} lacks the key of ${file}. Use the keys that were published when it was made.`);
  }
}

function parseKeys(content: string): JSONWebKeySet | null {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

const failed = (sentence: string): Report => ({ text: `${sentence}\n`, isData: false, code: exitCodes.differs });

/** Reads the signature and the visible text of a document. The text of a QR code is only a signature. */
async function readProof(file: string, bytes: Buffer) {
  if (bytes.subarray(0, 5).toString() !== '%PDF-') return { jws: bytes.toString().trim(), cells: null };
  const reader = new PdfTextReader();
  // The process that reads the document does not keep this one running.
  const timer = setInterval(() => undefined, 1_000);
  try {
    const reading = await reader.read(bytes, signatureName);
    if ('problem' in reading) throw new FileError(`${file} cannot be read as a PDF (${reading.problem}).`);
    const { attachment, lines } = reading;
    return { jws: attachment && Buffer.from(attachment).toString(), cells: lines.flat() };
  } finally {
    await reader.close();
    clearInterval(timer);
  }
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new FileError(`${file} cannot be read.`);
  }
}
