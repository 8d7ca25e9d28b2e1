import { createDecipheriv, createPrivateKey, type KeyObject, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { type KeyEncryption, readKeyAlgorithm, readKeyFile } from './key-file';

/** Result of opening a private key file with a password. */
export type OpenedKey =
  /** `password` has the form that opens the key, which may differ from the given one. */
  | { readonly kind: 'opened'; readonly key: KeyObject; readonly password: string }
  | { readonly kind: 'unreadable' | 'notEncrypted' | 'wrongPassword' | 'unsupported' | 'notRsa' };

/** Opens an encrypted PKCS #8 key in DER or PEM. Rejects only if `signal` has aborted. */
export async function openPrivateKey(file: Buffer, password: string, signal?: AbortSignal): Promise<OpenedKey> {
  const keyFile = readKeyFile(file);
  if (keyFile.kind !== 'encrypted') return { kind: keyFile.kind };
  for (const { text, bytes } of encodings(password)) {
    signal?.throwIfAborted();
    const opened = await decrypt(keyFile.encryption, bytes);
    bytes.fill(0);
    if (opened === 'notRsa') return { kind: 'notRsa' };
    if (opened !== null) return { kind: 'opened', key: opened, password: text };
  }
  return { kind: 'wrongPassword' };
}

/** Whether the file looks like a private key of any kind, to detect swapped files. */
export function looksLikePrivateKey(file: Buffer): boolean {
  return readKeyFile(file).kind !== 'unreadable';
}

/** Maximum length of a password in OpenSSL. Normalising takes time quadratic in the combining marks. */
const MAX_PASSWORD_BYTES = 1_024;

interface EncodedPassword {
  readonly text: string;
  readonly bytes: Buffer;
}

/**
 * Returns the possible encodings of a password. A system may write 'ñ' as one character or as two (as macOS does), and programs that
 * create key files may encode it in Latin-1 instead of UTF-8.
 */
function encodings(password: string): readonly EncodedPassword[] {
  if (Buffer.byteLength(password, 'utf8') > MAX_PASSWORD_BYTES) return [];
  const composed = password.normalize('NFC');
  const texts = new Set([password, composed, password.normalize('NFD')]);
  const all = [...texts].map((text) => ({ text, bytes: Buffer.from(text, 'utf8') }));
  return isLatinOnly(composed) ? [...all, { text: composed, bytes: Buffer.from(composed, 'latin1') }] : all;
}

/** Whether the password can be encoded in Latin-1 and its bytes differ from UTF-8. */
function isLatinOnly(password: string): boolean {
  const latin = Buffer.from(password, 'latin1');
  return latin.toString('latin1') === password && latin.length !== Buffer.byteLength(password, 'utf8');
}

/** Asynchronous version of PBKDF2, which runs in another thread. */
const deriveKey = promisify(pbkdf2);

/**
 * Returns the key. Returns null if the password is wrong: one in 200 wrong passwords yields valid padding, but then the content is
 * not a key.
 */
async function decrypt(encryption: KeyEncryption, password: Buffer): Promise<KeyObject | 'notRsa' | null> {
  const { derivation, cipher, iv, encrypted } = encryption;
  const { salt, iterations, keyBytes, digest } = derivation;
  const secret = await deriveKey(password, salt, iterations, keyBytes, digest);
  let pkcs8: Buffer | null = null;
  try {
    const decipher = createDecipheriv(cipher, secret, iv);
    pkcs8 = Buffer.concat([decipher.update(encrypted), decipher.final()]);
    // Keys of other kinds are not loaded, because OpenSSL computes a public key for some, and the caller chooses its size.
    if (readKeyAlgorithm(pkcs8) === 'other') return 'notRsa';
    return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  } catch {
    return null;
  } finally {
    secret.fill(0);
    pkcs8?.fill(0);
  }
}
