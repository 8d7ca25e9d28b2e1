import { createDecipheriv, createPrivateKey, type KeyObject, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { type KeyEncryption, readKeyAlgorithm, readKeyFile } from './key-file';

/** What became of a private key file and its password. */
export type OpenedKey =
  /** With the password as it opens the key: it may have been typed in another form. */
  | { readonly kind: 'opened'; readonly key: KeyObject; readonly password: string }
  | { readonly kind: 'unreadable' | 'notEncrypted' | 'wrongPassword' | 'unsupported' | 'notRsa' };

/** Opens an encrypted PKCS #8 key (DER, or the same in PEM). Rejects only when `signal` has aborted. */
export async function openPrivateKey(file: Buffer, password: string, signal?: AbortSignal): Promise<OpenedKey> {
  const keyFile = readKeyFile(file);
  if (keyFile.kind !== 'encrypted') return { kind: keyFile.kind };
  for (const { text, bytes } of readings(password)) {
    signal?.throwIfAborted();
    const opened = await decrypt(keyFile.encryption, bytes);
    bytes.fill(0);
    if (opened === 'notRsa') return { kind: 'notRsa' };
    if (opened !== null) return { kind: 'opened', key: opened, password: text };
  }
  return { kind: 'wrongPassword' };
}

/** Whether the file looks like a private key, of whatever kind: to tell a user who has swapped the two files. */
export function looksLikePrivateKey(file: Buffer): boolean {
  return readKeyFile(file).kind !== 'unreadable';
}

/** OpenSSL's own limit. What is longer never encrypted a key, and composing marks takes time by the square of their number. */
const MAX_PASSWORD_BYTES = 1_024;

interface Reading {
  readonly text: string;
  readonly bytes: Buffer;
}

/**
 * The bytes that a password may have been when the key was encrypted. A system may write 'ñ' in one character or in two (macOS
 * prefers two), and programs that make these files may take characters for bytes, which differs from UTF-8 in 'ñ' again.
 */
function readings(password: string): readonly Reading[] {
  if (Buffer.byteLength(password, 'utf8') > MAX_PASSWORD_BYTES) return [];
  const composed = password.normalize('NFC');
  const texts = new Set([password, composed, password.normalize('NFD')]);
  const all = [...texts].map((text) => ({ text, bytes: Buffer.from(text, 'utf8') }));
  return isLatinOnly(composed) ? [...all, { text: composed, bytes: Buffer.from(composed, 'latin1') }] : all;
}

/** Whether latin-1 can write the password, and would write it otherwise than UTF-8. */
function isLatinOnly(password: string): boolean {
  const latin = Buffer.from(password, 'latin1');
  return latin.toString('latin1') === password && latin.length !== Buffer.byteLength(password, 'utf8');
}

/** In a thread of its own, since it is meant to take long. */
const deriveKey = promisify(pbkdf2);

/** The key, or null where the password is wrong: one wrong password in 200 fits the padding, and fails on the rubbish inside. */
async function decrypt(encryption: KeyEncryption, password: Buffer): Promise<KeyObject | 'notRsa' | null> {
  const { derivation, cipher, iv, encrypted } = encryption;
  const { salt, iterations, keyBytes, digest } = derivation;
  const secret = await deriveKey(password, salt, iterations, keyBytes, digest);
  let pkcs8: Buffer | null = null;
  try {
    const decipher = createDecipheriv(cipher, secret, iv);
    pkcs8 = Buffer.concat([decipher.update(encrypted), decipher.final()]);
    // Keys of other kinds are not even loaded: OpenSSL works out a public key for some, whose size is the caller's choice.
    if (readKeyAlgorithm(pkcs8) === 'other') return 'notRsa';
    return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  } catch {
    return null;
  } finally {
    secret.fill(0);
    pkcs8?.fill(0);
  }
}
