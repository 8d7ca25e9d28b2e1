import { readFileSync, statSync } from 'node:fs';
import { errors } from 'jose';
import { exitCodes, FileError, parseOptions, type Report, text, UsageError } from '../../terminal/command';
import { type Facts, findChange, linesOf } from './facts';
import { readSignature } from './signature';
import { readAttachment, readFileSignature, readPages, sha256 } from './signed-file';

/** Maximum bytes of a file. The largest proof is much smaller. */
const maxBytes = 5_000_000;

export async function verify(args: readonly string[]): Promise<Report> {
  const { positionals, values } = parseOptions(args, { keys: text }, true);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0 || values.keys === undefined)
    throw new UsageError('Name one proof, and the file of the public keys with --keys.');
  const [bytes, keyText] = [readFile(file), readFile(values.keys).toString()];
  const attached = readAttachment(bytes);
  // A file with no document may be the text of a QR code.
  const jws = attached ?? bytes.toString().trim();
  if (!jws.startsWith('eyJ'))
    return failed(`${file} has no signature of padron, or a program saved it again. ${advice}`);
  try {
    const keys = JSON.parse(keyText);
    const facts = (await readSignature(jws, keys)) as Facts & { readonly sha256?: string };
    if (facts.head === undefined) throw new errors.JWSInvalid('It is the signature of a file.');
    if (facts.v > 2) throw new FileError(`${file} is of a later version of padron. Check it with that version.`);
    const lines = linesOf(facts);
    const shown = lines.flatMap(([label, value]) => (label === '' ? [] : `${label}: ${value}\n`)).join('');
    if (attached === null) {
      const hash = facts.sha256 && `\nSHA-256 of the signature in the document: ${facts.sha256}\n`;
      return report(`${file} is valid. Compare the signed facts below with the page:\n\n${shown}${hash ?? ''}`);
    }
    if (facts.v === 1)
      return failed(
        `${file} is of an earlier version of padron. The facts below are signed, but the page is not: it may show something else. Use these facts, or have padron make the proof again.\n\n${shown.trimEnd()}`,
      );
    const signed = readFileSignature(bytes);
    const content = signed && ((await readSignature(signed.jws, keys)) as { readonly pdf?: string });
    if (content === null || content.pdf !== signed?.sha256) {
      const change = findChange(readPages(bytes), lines);
      if (change !== null) return failed(`${file} was changed at ${change}. ${advice}`);
      return failed(`${file} is not the file that padron made: it was changed, or a program saved it again. ${advice}`);
    }
    const sum = `SHA-256 of ${file}: ${sha256(bytes)}`;
    return report(`${file} is valid: every byte is as padron signed it. Its facts:\n\n${shown}\n${sum}\n`);
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey)
      return failed(`${values.keys} lacks the key of ${file}. Use the keys that were published when it was made.`);
    if (error instanceof SyntaxError || error instanceof errors.JWKSInvalid)
      throw new FileError(`${values.keys} is not a copy of /.well-known/jwks.json.`);
    if (error instanceof errors.JOSEError)
      return failed(`The signature of ${file} is damaged or of another kind. ${advice}`);
    throw error;
  }
}

const advice = 'Ask for the file that padron returned, or have padron make the proof again.';
const report = (message: string): Report => ({ text: message, isData: false, code: exitCodes.done });
const failed = (message: string): Report => ({ text: `${message}\n`, isData: false, code: exitCodes.differs });

function readFile(file: string): Buffer {
  try {
    if (statSync(file).size <= maxBytes) return readFileSync(file);
  } catch {
    throw new FileError(`${file} cannot be read.`);
  }
  throw new FileError(`${file} is larger than 5 MB. No proof or key set is. Name the files that padron returned.`);
}
