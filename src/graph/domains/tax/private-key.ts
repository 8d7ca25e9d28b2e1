import { createDecipheriv, createPrivateKey, type KeyObject, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { codePages, encodeInCodePage } from '../../../identifiers/code-pages';
import type { SecretBytes } from '../../core/scalars/secret-bytes';
import { bareBase64, readFileText } from './certificate';

export type OpenedKey =
  /** `password` has the form that opens the key, and `encoding` is an older one that its bytes have. */
  | { readonly kind: 'opened'; readonly key: KeyObject; readonly password: string; readonly encoding: string | null }
  | { readonly kind: 'unreadable' | 'notEncrypted' | 'wrongPassword' | 'unsupported' | 'notRsa' };

/** Opens an encrypted PKCS #8 key. Rejects only if `signal` has aborted. */
export async function openPrivateKey(
  file: Buffer,
  password: string,
  secrets: SecretBytes,
  signal?: AbortSignal,
): Promise<OpenedKey> {
  const keyFile = readKeyFile(file, secrets);
  if (keyFile.kind !== 'encrypted') return { kind: keyFile.kind };
  for (const { text, encoding, encode } of encodings(password)) {
    signal?.throwIfAborted();
    const bytes = encode();
    const opened = bytes && (await decrypt(keyFile.encryption, secrets.keep(bytes), secrets));
    if (opened === 'notRsa') return { kind: 'notRsa' };
    if (opened !== null) return { kind: 'opened', key: opened, password: text, encoding };
  }
  return { kind: 'wrongPassword' };
}

/** Whether the file looks like a private key of any kind, to detect swapped files. */
export function looksLikePrivateKey(file: Buffer, secrets: SecretBytes): boolean {
  return readKeyFile(file, secrets).kind !== 'unreadable';
}

/** Maximum length of a password in OpenSSL. Normalising takes time quadratic in the combining marks. */
const MAX_PASSWORD_BYTES = 1_024;

interface PasswordEncoding {
  readonly text: string;
  /** Name of an older encoding. It is null for an encoding that the service also knows. */
  readonly encoding: string | null;
  /** Returns null if the encoding lacks a character. */
  readonly encode: () => Buffer | null;
}

/**
 * Yields the possible bytes of a password. A system may write 'ñ' as one character or as two (as macOS does), and programs that create
 * key files may encode it as Windows or MS-DOS did.
 */
function* encodings(password: string): Generator<PasswordEncoding> {
  if (Buffer.byteLength(password, 'utf8') > MAX_PASSWORD_BYTES) return;
  const text = password.normalize('NFC');
  for (const form of new Set([password, text, password.normalize('NFD')]))
    yield { text: form, encoding: null, encode: () => Buffer.from(form) };
  if (!/[\u0080-\uffff]/.test(text)) return;
  const isLatin = !/[\u0100-\uffff]/.test(text);
  for (const page of codePages) {
    const encoding = isLatin && page.name === 'Windows-1252' ? null : page.name;
    yield { text, encoding, encode: () => encodeInCodePage(text, page) };
  }
}

const deriveKey = promisify(pbkdf2);

/** Returns null if the password is wrong: one in 200 wrong passwords yields valid padding, but then the content is not a key. */
async function decrypt(
  { derivation, cipher, iv, encrypted }: KeyEncryption,
  password: Buffer,
  secrets: SecretBytes,
): Promise<KeyObject | 'notRsa' | null> {
  const { salt, iterations, keyBytes, digest } = derivation;
  const secret = secrets.keep(await deriveKey(password, salt, iterations, keyBytes, digest));
  try {
    const decipher = createDecipheriv(cipher, secret, iv);
    const parts = [secrets.keep(decipher.update(encrypted)), secrets.keep(decipher.final())];
    const pkcs8 = secrets.keep(Buffer.concat(parts));
    // Keys of other kinds are not loaded, because OpenSSL computes a public key for some, and the caller chooses its size.
    if (readKeyAlgorithm(pkcs8) === 'other') return 'notRsa';
    return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  } catch {
    return null;
  }
}

type KeyFile =
  | { readonly kind: 'unreadable' | 'notEncrypted' | 'unsupported' }
  | { readonly kind: 'encrypted'; readonly encryption: KeyEncryption };

/** Encryption of a file: PBES2 with PBKDF2, as the tax authority issues it. */
interface KeyEncryption {
  readonly derivation: KeyDerivation;
  readonly cipher: string;
  readonly iv: Buffer;
  readonly encrypted: Buffer;
}

interface KeyDerivation {
  readonly digest: string;
  readonly salt: Buffer;
  readonly iterations: number;
  readonly keyBytes: number;
}

/**
 * Maximum number of iterations, because the file determines the work. Keys of the tax authority have 2,048, like the default of
 * OpenSSL. The limit leaves room for keys that were encrypted again with a higher number.
 */
const MAX_ITERATIONS = 10_000;

/** The errors of OpenSSL do not distinguish a wrong file from a wrong password, and it opens keys of every kind. */
function readKeyFile(file: Buffer, secrets: SecretBytes): KeyFile {
  const der = toDer(file, secrets);
  const [outer] = readDerElements(der);
  // A transfer that changed line breaks has changed the length.
  if (outer?.tag !== SEQUENCE || !isBlank(der.subarray(outer.end))) return { kind: 'unreadable' };
  const [first, second] = readDerElements(outer.content);
  if (first?.tag === INTEGER && (second?.tag === SEQUENCE || second?.tag === INTEGER)) {
    // PKCS #8 and PKCS #1 begin with version 0 or 1, a PKCS #12 bundle with 3.
    return { kind: first.content.length === 1 && (first.content[0] ?? 9) < 2 ? 'notEncrypted' : 'unreadable' };
  }
  if (first?.tag !== SEQUENCE || second?.tag !== OCTET_STRING) return { kind: 'unreadable' };
  const [algorithm, parameters] = readDerElements(first.content);
  if (algorithm?.tag !== OBJECT_IDENTIFIER) return { kind: 'unreadable' };
  const name = algorithm.content.toString('hex');
  if (!name.startsWith(PKCS5) && !name.startsWith(PKCS12_ENCRYPTION)) return { kind: 'unreadable' };
  const encryption = name === PBES2 ? readPbes2(parameters, second.content) : null;
  return encryption === null ? { kind: 'unsupported' } : { kind: 'encrypted', encryption };
}

/** Returns the kind of a decrypted private key: RSA or other. Returns null if it is not a private key. */
function readKeyAlgorithm(pkcs8: Buffer): 'rsa' | 'other' | null {
  const [outer] = readDerElements(pkcs8);
  if (outer?.tag !== SEQUENCE) return null;
  const [version, algorithm] = readDerElements(outer.content);
  if (version?.tag !== INTEGER || algorithm?.tag !== SEQUENCE) return null;
  const [name] = readDerElements(algorithm.content);
  if (name?.tag !== OBJECT_IDENTIFIER) return null;
  return name.content.toString('hex') === RSA ? 'rsa' : 'other';
}

function readPbes2(parameters: DerElement | undefined, encrypted: Buffer): KeyEncryption | null {
  const [derivationNode, cipherNode] = readDerElements(parameters?.content);
  const [cipherName, iv] = readDerElements(cipherNode?.content);
  const cipher = CIPHERS[cipherName?.content.toString('hex') ?? ''];
  if (cipher === undefined || iv?.tag !== OCTET_STRING || iv.content.length !== cipher.ivBytes) return null;
  const derivation = readPbkdf2(derivationNode, cipher.keyBytes);
  return derivation && { derivation, cipher: cipher.name, iv: iv.content, encrypted };
}

/** Reads the parameters of PBKDF2. Returns null if the number of iterations is unknown or too high. */
function readPbkdf2(node: DerElement | undefined, keyBytes: number): KeyDerivation | null {
  const [name, parameters] = readDerElements(node?.content);
  if (name?.content.toString('hex') !== PBKDF2) return null;
  const [salt, count, ...options] = readDerElements(parameters?.content, 4);
  const iterations = readInteger(count);
  if (salt?.tag !== OCTET_STRING || iterations < 1 || iterations > MAX_ITERATIONS) return null;
  const length = options.find(({ tag }) => tag === INTEGER);
  if (length !== undefined && readInteger(length) !== keyBytes) return null;
  const [digestName] = readDerElements(options.find(({ tag }) => tag === SEQUENCE)?.content);
  const digest = digestName === undefined ? 'sha1' : DIGESTS[digestName.content.toString('hex')];
  return digest === undefined ? null : { digest, salt: salt.content, iterations, keyBytes };
}

/** Reads an integer. Returns infinity if it is missing or too large. */
function readInteger(element: DerElement | undefined): number {
  if (element?.tag !== INTEGER || element.content.length === 0 || element.content.length > 4)
    return Number.POSITIVE_INFINITY;
  return element.content.readUIntBE(0, element.content.length);
}

/** Decodes the block of PEM with a key, which attributes or a byte order mark may precede, or bare base64, into a buffer that can be wiped. Another file is returned as it is. */
export function toDer(file: Buffer, secrets: SecretBytes): Buffer {
  if (file[0] === SEQUENCE) return file;
  const text = readFileText(file);
  const block = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----([A-Za-z0-9+/=\s]*)-----END /.exec(text);
  const base64 = block?.[1] ?? bareBase64.exec(text)?.[0];
  return base64 === undefined ? file : secrets.keep(Buffer.from(base64, 'base64'));
}

/** Old programs end a file with NUL or 0x1A. */
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => [0x0a, 0x0d, 0x20, 0x00, 0x1a].includes(byte));

interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  /** Index of the byte after the element. */
  readonly end: number;
}

/** Reads the first complete DER elements. No caller needs more, and a malicious file may have many. */
function readDerElements(bytes: Buffer = Buffer.alloc(0), max = 2): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let offset = 0; elements.length < max; ) {
    const tag = bytes[offset];
    const short = bytes[offset + 1];
    if (tag === undefined || short === undefined) break;
    const lengthBytes = short < 0x80 ? 0 : short - 0x80;
    const start = offset + 2 + lengthBytes;
    if (short === 0x80 || lengthBytes > 4 || start > bytes.length) break;
    const length = lengthBytes === 0 ? short : bytes.readUIntBE(offset + 2, lengthBytes);
    if (start + length > bytes.length) break;
    offset = start + length;
    elements.push({ tag, content: bytes.subarray(start, offset), end: offset });
  }
  return elements;
}

const INTEGER = 0x02;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const SEQUENCE = 0x30;

const RSA = '2a864886f70d010101';
const PKCS5 = '2a864886f70d0105';
const PKCS12_ENCRYPTION = '2a864886f70d010c01';
const PBES2 = `${PKCS5}0d`;
const PBKDF2 = `${PKCS5}0c`;

const DIGESTS: Readonly<Record<string, string>> = {
  '2a864886f70d0207': 'sha1',
  '2a864886f70d0208': 'sha224',
  '2a864886f70d0209': 'sha256',
  '2a864886f70d020a': 'sha384',
  '2a864886f70d020b': 'sha512',
};

const CIPHERS: Readonly<
  Record<string, { readonly name: string; readonly keyBytes: number; readonly ivBytes: number }>
> = {
  '2a864886f70d0307': { name: 'des-ede3-cbc', keyBytes: 24, ivBytes: 8 },
  '608648016503040102': { name: 'aes-128-cbc', keyBytes: 16, ivBytes: 16 },
  '608648016503040116': { name: 'aes-192-cbc', keyBytes: 24, ivBytes: 16 },
  '60864801650304012a': { name: 'aes-256-cbc', keyBytes: 32, ivBytes: 16 },
};
