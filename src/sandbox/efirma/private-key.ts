import { createPrivateKey, type KeyObject } from 'node:crypto';

/** A decrypted key, or the reason why it cannot be decrypted. */
export type DecryptedKey = KeyObject | 'notAnEncryptedKey' | 'wrongPassword' | 'unknownCipher';

/** Maximum size of a file, so that a crafted key cannot block the process. The tax authority's have about 1,300 bytes. */
const MAX_BYTES = 4_096;

/** The beginning of an encrypted PKCS #8 file, in hexadecimal. */
const ENCRYPTED = /^30(?:82....|81..|..)30[0-7].06..2a864886f70d01/;
/** The same with PBKDF2 and at most two bytes of iterations, because more would block the process. */
const BOUNDED_WORK =
  /^308(?:1..|2....)30[0-7].06092a864886f70d01050d30[0-7].30[0-7].06092a864886f70d01050c30[0-7].04(?:08.{16}|10.{32})02(?:01..|02....)/;
/** The object identifiers of triple DES and AES. OpenSSL 3 no longer supports single DES. */
const KNOWN_CIPHER = /06082a864886f70d0307|0609608648016503040(?:102|116|12a)/;

/** Decrypts a .key file. */
export function openKey(file: Buffer, password: string): DecryptedKey {
  const header = file.subarray(0, 160).toString('hex');
  if (!ENCRYPTED.test(header)) return 'notAnEncryptedKey';
  if (file.length > MAX_BYTES || !BOUNDED_WORK.test(header) || !KNOWN_CIPHER.test(header)) return 'unknownCipher';
  // The program that made the file may have encoded 'ñ' in one byte or in two.
  return (
    decryptKey(file, Buffer.from(password, 'utf8')) ??
    decryptKey(file, Buffer.from(password, 'latin1')) ??
    'wrongPassword'
  );
}

function decryptKey(key: Buffer, passphrase: Buffer): KeyObject | null {
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8', passphrase });
  } catch {
    return null;
  }
}
