import { createPrivateKey, type KeyObject } from 'node:crypto';

/** What became of a private key file and its password. */
export type OpenedKey =
  | { readonly kind: 'opened'; readonly key: KeyObject }
  | { readonly kind: 'unreadable' | 'notEncrypted' | 'wrongPassword' | 'unsupported' };

/** Opens an encrypted PKCS #8 key (DER, or the same in PEM). Never throws. */
export function openPrivateKey(file: Buffer, password: string): OpenedKey {
  const der = pemToDer(file);
  const shape = inspectKey(der);
  if (shape === 'unreadable' || shape === 'notEncrypted') return { kind: shape };
  if (shape.iterations > MAX_ITERATIONS) return { kind: 'unsupported' };
  const opened = decrypt(der, Buffer.from(password, 'utf8'));
  if (opened.kind !== 'wrongPassword' || !isLatinOnly(password)) return opened;
  // Programs that make these files may take a password's characters for bytes, which differs from UTF-8 in 'ñ'.
  return decrypt(der, Buffer.from(password, 'latin1'));
}

/** Whether the file looks like a private key, of whatever kind: to tell a user who has swapped the two files. */
export function looksLikePrivateKey(file: Buffer): boolean {
  return inspectKey(pemToDer(file)) !== 'unreadable';
}

/** The tax authority's keys have 2,048. The count is the caller's, the time ours: a large one would hold the process for hours. */
const MAX_ITERATIONS = 20_000;

function decrypt(der: Buffer, passphrase: Buffer): OpenedKey {
  try {
    return { kind: 'opened', key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8', passphrase }) };
  } catch (error) {
    // The shape was right, so whatever else fails is the password: one in 200 wrong ones happens to fit the padding and
    // fails later, on the ASN.1 of the rubbish inside.
    return { kind: isUnsupported(error) ? 'unsupported' : 'wrongPassword' };
  } finally {
    passphrase.fill(0);
  }
}

function isUnsupported(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_OSSL_EVP_UNSUPPORTED';
}

/** Whether latin-1 can write the password, and would write it otherwise than UTF-8. */
function isLatinOnly(password: string): boolean {
  const latin = Buffer.from(password, 'latin1');
  return latin.toString('latin1') === password && latin.length !== Buffer.byteLength(password, 'utf8');
}

function pemToDer(file: Buffer): Buffer {
  const base64 = /^\s*-----BEGIN [A-Z ]*PRIVATE KEY-----([A-Za-z0-9+/=\s]*)-----END /.exec(
    file.toString('latin1'),
  )?.[1];
  return base64 === undefined ? file : Buffer.from(base64, 'base64');
}

interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
}

const INTEGER = 0x02;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const SEQUENCE = 0x30;

const PKCS5 = '2a864886f70d0105';
const PKCS12_ENCRYPTION = '2a864886f70d010c01';
const PBES2 = `${PKCS5}0d`;
const PBKDF2 = `${PKCS5}0c`;

/** Looked at before OpenSSL is asked, whose errors do not tell a wrong file from a wrong password. */
function inspectKey(der: Buffer): 'unreadable' | 'notEncrypted' | { readonly iterations: number } {
  const [outer] = readDerElements(der);
  if (outer?.tag !== SEQUENCE) return 'unreadable';
  const [first, second] = readDerElements(outer.content);
  if (first?.tag === INTEGER && (second?.tag === SEQUENCE || second?.tag === INTEGER)) {
    // PKCS #8 and PKCS #1 begin with version 0 or 1; a PKCS #12 bundle with 3.
    return first.content.length === 1 && (first.content[0] ?? 9) < 2 ? 'notEncrypted' : 'unreadable';
  }
  if (first?.tag !== SEQUENCE || second?.tag !== OCTET_STRING) return 'unreadable';
  const [algorithm, parameters] = readDerElements(first.content);
  if (algorithm?.tag !== OBJECT_IDENTIFIER) return 'unreadable';
  const name = algorithm.content.toString('hex');
  if (!name.startsWith(PKCS5) && !name.startsWith(PKCS12_ENCRYPTION)) return 'unreadable';
  return { iterations: readIterations(name === PBES2 ? findKeyDerivation(parameters) : parameters) };
}

function findKeyDerivation(pbes2: DerElement | undefined): DerElement | undefined {
  const [derivation] = readDerElements(pbes2?.content);
  const [name, parameters] = readDerElements(derivation?.content);
  return name?.content.toString('hex') === PBKDF2 ? parameters : undefined;
}

/** Of `SEQUENCE { salt, iterations … }`; infinite when it cannot be told, so that it is not tried. */
function readIterations(parameters: DerElement | undefined): number {
  const [, count] = readDerElements(parameters?.content);
  if (count?.tag !== INTEGER || count.content.length === 0 || count.content.length > 4) return Number.POSITIVE_INFINITY;
  return count.content.readUIntBE(0, count.content.length);
}

/** The first two elements, as far as they stand whole in these bytes: more is never asked, and a crafted file may hold many. */
function readDerElements(bytes: Buffer = Buffer.alloc(0)): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let offset = 0; elements.length < 2; ) {
    const tag = bytes[offset];
    const short = bytes[offset + 1];
    if (tag === undefined || short === undefined) break;
    const lengthBytes = short < 0x80 ? 0 : short - 0x80;
    const start = offset + 2 + lengthBytes;
    if (short === 0x80 || lengthBytes > 4 || start > bytes.length) break;
    const length = lengthBytes === 0 ? short : bytes.readUIntBE(offset + 2, lengthBytes);
    if (start + length > bytes.length) break;
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    offset = start + length;
  }
  return elements;
}
