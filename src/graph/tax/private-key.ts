import { createDecipheriv, createPrivateKey, type KeyObject, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import type { SecretBytes } from '../scalars/secret-bytes';
import { type KeyEncryption, readKeyAlgorithm, readKeyFile } from './key-file';

/** Result of opening a private key file with a password. */
export type OpenedKey =
  /** `password` has the form that opens the key, which may differ from the given one. */
  | { readonly kind: 'opened'; readonly key: KeyObject; readonly password: string }
  | { readonly kind: 'unreadable' | 'notEncrypted' | 'wrongPassword' | 'unsupported' | 'notRsa' };

/** Opens an encrypted PKCS #8 key in DER or PEM. Rejects only if `signal` has aborted. */
export async function openPrivateKey(
  file: Buffer,
  password: string,
  secrets: SecretBytes,
  signal?: AbortSignal,
): Promise<OpenedKey> {
  const keyFile = readKeyFile(file, secrets);
  if (keyFile.kind !== 'encrypted') return { kind: keyFile.kind };
  for (const { text, encoding } of encodings(password)) {
    signal?.throwIfAborted();
    const opened = await decrypt(keyFile.encryption, secrets.keep(Buffer.from(text, encoding)), secrets);
    if (opened === 'notRsa') return { kind: 'notRsa' };
    if (opened !== null) return { kind: 'opened', key: opened, password: text };
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
  readonly encoding: 'utf8' | 'latin1';
}

/**
 * Returns the possible encodings of a password. A system may write 'ñ' as one character or as two (as macOS does), and programs that
 * create key files may encode it in Latin-1 instead of UTF-8.
 */
function encodings(password: string): readonly PasswordEncoding[] {
  if (Buffer.byteLength(password, 'utf8') > MAX_PASSWORD_BYTES) return [];
  const composed = password.normalize('NFC');
  const texts = new Set([password, composed, password.normalize('NFD')]);
  const all = [...texts].map((text): PasswordEncoding => ({ text, encoding: 'utf8' }));
  return isLatinOnly(composed) ? [...all, { text: composed, encoding: 'latin1' }] : all;
}

/** Whether the password can be encoded in Latin-1 and its bytes differ from UTF-8. */
function isLatinOnly(password: string): boolean {
  return /[\u0080-\u00ff]/.test(password) && !/[\u0100-\uffff]/.test(password);
}

/** Asynchronous version of PBKDF2, which runs in another thread. */
const deriveKey = promisify(pbkdf2);

/**
 * Returns the key. Returns null if the password is wrong: one in 200 wrong passwords yields valid padding, but then the content is
 * not a key.
 */
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
