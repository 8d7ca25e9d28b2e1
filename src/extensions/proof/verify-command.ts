import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { errors } from 'jose';
import { exitCodes, FileError, parseOptions, type Report, text, UsageError } from '../../cli/command-arguments';
import { PdfTextReader } from '../../graph/core/files/pdf-text-reader';
import { type Facts, findChange, linesOf } from './facts';
import { readSignature } from './signature';

/** Parts of a PDF that padron does not write: later changes, what may cover or replace the text, and what may hide these. */
const foreign = /startxref.*startxref|\/(Annots|AcroForm|XObject|XRef|ObjStm|ToUnicode|Differences|FontDescriptor)/s;

export async function verify(args: readonly string[]): Promise<Report> {
  const { positionals, values } = parseOptions(args, { keys: text }, true);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0 || values.keys === undefined)
    throw new UsageError('Name one proof, and the file of the public keys with --keys.');
  const [bytes, keys] = [readFile(file), readFile(values.keys).toString()];
  // The attached signature is not compressed. Names may have escapes.
  const raw = bytes.toString('latin1').replace(/#([\da-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  const [jws] = /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(raw) ?? [];
  if (jws === undefined) return failed(`${file} has no signature, or a program has saved it again.`);
  try {
    const facts = (await readSignature(jws, JSON.parse(keys))) as Facts & { readonly sha256?: string };
    if (facts.v !== 1) throw new FileError(`${file} is of a later version of padron. Check it with that version.`);
    if (foreign.test(raw))
      return failed(`${file} was changed: it has parts that padron does not write, such as annotations or images.`);
    const lines = linesOf(facts);
    // Only a file with nothing else is the text of a QR code.
    const cells = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(bytes.toString().trim()) ? null : await readCells(file, bytes);
    const change = cells && (facts.entries ? findChange(cells, lines) : 'its signature, which has no entries');
    if (change !== null) return failed(`${file} was changed at ${change}.`);
    const shown = lines.flatMap(([label, value]) => (label === '' ? [] : `${label}: ${value}\n`)).join('');
    const attached = facts.sha256 === undefined ? '' : `SHA-256 of the signature in the document: ${facts.sha256}\n`;
    const sum = `SHA-256 of ${file}: ${createHash('sha256').update(bytes).digest('hex')}\n`;
    const report = `${file} is valid. Compare the signed facts below with the page:\n\n${shown}\n${attached}${sum}`;
    return { text: report, isData: false, code: exitCodes.done };
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey)
      return failed(`${values.keys} lacks the key of ${file}. Use the keys that were published when it was made.`);
    if (error instanceof SyntaxError || error instanceof errors.JWKSInvalid)
      throw new FileError(`${values.keys} is not a copy of /.well-known/jwks.json.`);
    if (error instanceof errors.JOSEError) return failed(`The signature of ${file} is damaged or of another kind.`);
    throw error;
  }
}

const failed = (sentence: string): Report => ({ text: `${sentence}\n`, isData: false, code: exitCodes.differs });

/** Returns the visible text of a document. */
async function readCells(file: string, bytes: Buffer): Promise<readonly string[]> {
  const reader = new PdfTextReader();
  // The process that reads the document does not keep this one running.
  const timer = setInterval(() => undefined, 1_000);
  try {
    const reading = await reader.read(bytes);
    if ('problem' in reading) throw new FileError(`${file} cannot be read as a PDF (${reading.problem}).`);
    return reading.lines.flat();
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
