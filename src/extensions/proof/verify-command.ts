import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { errors, type JSONWebKeySet } from 'jose';
import { exitCodes, FileError, parseOptions, type Report, text, UsageError } from '../../cli/command-arguments';
import { PdfTextReader } from '../../graph/core/files/pdf-text-reader';
import { signatureName } from './document';
import { type Facts, findChange, linesOf } from './facts';
import { readSignature } from './signature';

type Lines = readonly (readonly string[])[];

/** Content of a signature: the facts, or in the QR code of a long document the hash of the attached signature. */
type Signed = Facts | (Omit<Facts, 'service' | 'entries'> & { readonly sha256: string });

export async function verify(args: readonly string[]): Promise<Report> {
  const { positionals, values } = parseOptions(args, { keys: text }, true);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('Name the file of one proof.');
  if (values.keys === undefined) throw new UsageError('Name the file of the public keys: --keys jwks.json.');
  const bytes = readFile(file);
  const keys = parseKeys(values.keys);
  const isPdf = bytes.subarray(0, 5).toString() === '%PDF-';
  const { jws, lines } = isPdf ? await readDocument(file, bytes) : { jws: bytes.toString().trim(), lines: null };
  if (jws === null) return failed(`${file} has no signature of padron: it is not a proof, or its attachment was removed.`);
  try {
    const { content, kid } = await readSignature(jws, keys);
    return check(content as Signed, kid, file, lines) ?? passed(content as Signed, kid, file, bytes);
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    return failed(
      error instanceof errors.JWKSNoMatchingKey
        ? `${file} was signed with a key that ${values.keys} does not have. Use the keys that were published when it was made.`
        : `${file} is not valid: its signature is damaged, or is not of the key that it names.`,
    );
  }
}

/** Returns why the document is not what was signed, or null. */
function check(content: Signed, kid: string, file: string, lines: Lines | null): Report | null {
  if (content.v !== 1) throw new FileError(`${file} was made by a later version of padron. Check it with that version.`);
  if (lines === null) return null;
  if (!('entries' in content)) return failed(`${file} has the signature of a QR code in place of its own.`);
  const change = findChange(lines, linesOf(content, kid));
  if (change === null) return null;
  const { label, shown, signed } = change;
  if (signed === '') return failed(`${file} was changed: it has text that was not signed, “${shown}”.`);
  return failed(`${file} was changed at “${label}”: it shows “${shown}”, but “${signed}” was signed.`);
}

function passed(content: Signed, kid: string, file: string, bytes: Buffer): Report {
  const rows =
    'entries' in content
      ? linesOf(content, kid).flatMap(({ label, text: value }) => (label === '' ? [] : [[label, value]]))
      : Object.entries(content).map(([name, value]) => [name, String(value)]);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const first = `${file} is valid. These facts were signed:\n\n`;
  const report = `${first}${rows.map(([label, value]) => `${label}: ${value}\n`).join('')}\nSHA-256 of ${file}: ${sha256}\n`;
  return { text: report, isData: false, code: exitCodes.done };
}

const failed = (sentence: string): Report => ({ text: `${sentence}\n`, isData: false, code: exitCodes.differs });

async function readDocument(file: string, bytes: Buffer): Promise<{ readonly jws: string | null; readonly lines: Lines }> {
  const reader = new PdfTextReader();
  // The process of the reader does not keep this one running.
  const timer = setInterval(() => undefined, 1_000);
  try {
    const reading = await reader.read(bytes, signatureName);
    if ('problem' in reading) throw new FileError(`${file} cannot be read as a PDF (${reading.problem}).`);
    const { lines, attachment } = reading;
    return { lines, jws: attachment ? Buffer.from(attachment).toString() : null };
  } finally {
    clearInterval(timer);
    await reader.close();
  }
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new FileError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function parseKeys(file: string): JSONWebKeySet {
  try {
    const keys = JSON.parse(readFile(file).toString()) as JSONWebKeySet;
    if (Array.isArray(keys.keys)) return keys;
  } catch (error) {
    if (error instanceof FileError) throw error;
  }
  throw new FileError(`${file} is not a key set. Save what /.well-known/jwks.json returns.`);
}
