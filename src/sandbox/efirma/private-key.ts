import { createDecipheriv, createHash, createPrivateKey, type KeyObject, pbkdf2Sync } from 'node:crypto';
import { DER_TAGS, type DerNode, decodeInteger, decodeObjectIdentifier, getChild, readChildren, readDer } from './asn1';

/** A decrypted key, or the reason why it cannot be decrypted. */
export type DecryptedKey = KeyObject | 'notAnEncryptedKey' | 'wrongPassword' | 'unknownCipher';

/**
 * Decrypts a .key file. The decryption is implemented here, because OpenSSL 3 no longer supports the single DES of old files. RC2 and
 * the PKCS #12 schemes are not supported, because the tax authority never issued them.
 */
export function openKey(file: Buffer, password: string): DecryptedKey {
  const envelope = readEnvelope(file);
  if (envelope === null) return 'notAnEncryptedKey';
  const deriveParameters = readScheme(envelope.algorithm);
  if (deriveParameters === null) return 'unknownCipher';
  const utf8Password = Buffer.from(password, 'utf8');
  const latin1Password = Buffer.from(password, 'latin1');
  // The program that made the file may have encoded 'ñ' in one byte or in two.
  for (const bytes of utf8Password.equals(latin1Password) ? [utf8Password] : [utf8Password, latin1Password]) {
    const key = decryptKey(envelope.encrypted, deriveParameters(bytes));
    if (key !== null) return key;
  }
  return 'wrongPassword';
}

interface Envelope {
  readonly algorithm: DerNode;
  readonly encrypted: Buffer;
}

/** Parameters that decrypt a file. */
interface CipherParameters {
  readonly cipher: string;
  readonly key: Buffer;
  readonly iv: Buffer;
}

type DeriveParameters = (password: Buffer) => CipherParameters;

/** Maximum number of iterations, so that a crafted file cannot block the process. */
const MAX_ITERATIONS = 10_000;

const RSA = '1.2.840.113549.1.1.1';
const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const DIGEST_WITH_DES: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.5.3': 'md5',
  '1.2.840.113549.1.5.10': 'sha1',
};
const HMAC_DIGESTS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};
const CIPHERS: Readonly<Record<string, { readonly cipher: string; readonly keyBytes: number }>> = {
  '1.2.840.113549.3.7': { cipher: 'des-ede3-cbc', keyBytes: 24 },
  '1.3.14.3.2.7': { cipher: 'des-ede3-cbc', keyBytes: 8 },
  '2.16.840.1.101.3.4.1.2': { cipher: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { cipher: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { cipher: 'aes-256-cbc', keyBytes: 32 },
};

function readEnvelope(file: Buffer): Envelope | null {
  try {
    const outer = readDer(file);
    const algorithm = getChild(outer, 0, DER_TAGS.sequence);
    const { content: encrypted } = getChild(outer, 1, DER_TAGS.octets);
    return decodeObjectIdentifier(getChild(algorithm, 0, DER_TAGS.identifier)).startsWith('1.2.840.113549.1.')
      ? { algorithm, encrypted }
      : null;
  } catch {
    return null;
  }
}

function readScheme(algorithm: DerNode): DeriveParameters | null {
  try {
    const name = decodeObjectIdentifier(getChild(algorithm, 0, DER_TAGS.identifier));
    const parameters = getChild(algorithm, 1, DER_TAGS.sequence);
    return name === PBES2 ? readPbes2(parameters) : readPbes1(name, parameters);
  } catch {
    return null;
  }
}

function readPbes2(parameters: DerNode): DeriveParameters | null {
  const derivation = getChild(parameters, 0, DER_TAGS.sequence);
  const encryption = getChild(parameters, 1, DER_TAGS.sequence);
  const cipherSpec = CIPHERS[decodeObjectIdentifier(getChild(encryption, 0, DER_TAGS.identifier))];
  if (decodeObjectIdentifier(getChild(derivation, 0, DER_TAGS.identifier)) !== PBKDF2 || cipherSpec === undefined)
    return null;
  const settings = getChild(derivation, 1, DER_TAGS.sequence);
  const { content: salt } = getChild(settings, 0, DER_TAGS.octets);
  const iterations = decodeInteger(getChild(settings, 1, DER_TAGS.integer));
  const digestNode = readChildren(settings).find(({ tag }) => tag === DER_TAGS.sequence);
  const digest = digestNode
    ? HMAC_DIGESTS[decodeObjectIdentifier(getChild(digestNode, 0, DER_TAGS.identifier))]
    : 'sha1';
  if (digest === undefined || iterations < 1 || iterations > MAX_ITERATIONS) return null;
  const { content: iv } = getChild(encryption, 1, DER_TAGS.octets);
  const { cipher, keyBytes } = cipherSpec;
  return (password) => ({ cipher, key: toTripleDesKey(pbkdf2Sync(password, salt, iterations, keyBytes, digest)), iv });
}

function readPbes1(name: string, parameters: DerNode): DeriveParameters | null {
  const digest = DIGEST_WITH_DES[name];
  const { content: salt } = getChild(parameters, 0, DER_TAGS.octets);
  const iterations = decodeInteger(getChild(parameters, 1, DER_TAGS.integer));
  if (digest === undefined || iterations < 1 || iterations > MAX_ITERATIONS) return null;
  return (password) => {
    let derived: Buffer = Buffer.concat([password, salt]);
    for (let round = 0; round < iterations; round += 1) derived = createHash(digest).update(derived).digest();
    return { cipher: 'des-ede3-cbc', key: toTripleDesKey(derived.subarray(0, 8)), iv: derived.subarray(8, 16) };
  };
}

/** Returns the key for triple DES, which equals single DES if its three keys are the same. */
function toTripleDesKey(key: Buffer): Buffer {
  return key.length === 8 ? Buffer.concat([key, key, key]) : key;
}

function decryptKey(encrypted: Buffer, { cipher, key, iv }: CipherParameters): KeyObject | null {
  try {
    const decipher = createDecipheriv(cipher, key, iv);
    const plain = Buffer.concat([decipher.update(encrypted), decipher.final()]);
    // The tax authority only issues RSA keys. For some other types OpenSSL would compute a public key of whatever size the file states.
    const algorithm = getChild(readDer(plain), 1, DER_TAGS.sequence);
    if (decodeObjectIdentifier(getChild(algorithm, 0, DER_TAGS.identifier)) !== RSA) return null;
    return createPrivateKey({ key: plain, format: 'der', type: 'pkcs8' });
  } catch {
    return null;
  }
}
