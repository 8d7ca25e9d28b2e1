import { createDecipheriv, createHash, createPrivateKey, type KeyObject, pbkdf2Sync } from 'node:crypto';
import { DER, type DerNode, identifierOf, numberOf, partAt, partsOf, readDer } from './asn1';

/** An opened key, or why there is none. */
export type OpenedKey = KeyObject | 'notAnEncryptedKey' | 'wrongPassword' | 'unknownCipher';

/**
 * Opens a .key file. It deciphers by itself, since OpenSSL 3 no longer opens the single DES that old files have; RC2 and the
 * PKCS #12 schemes, which the tax authority never issued, stay unknown.
 */
export function openKey(file: Buffer, password: string): OpenedKey {
  const envelope = readEnvelope(file);
  if (envelope === null) return 'notAnEncryptedKey';
  const scheme = schemeOf(envelope.algorithm);
  if (scheme === null) return 'unknownCipher';
  const inUtf8 = Buffer.from(password, 'utf8');
  const inLatin = Buffer.from(password, 'latin1');
  // An 'ñ' is written in two bytes or in one, by the program that made the file.
  for (const bytes of inUtf8.equals(inLatin) ? [inUtf8] : [inUtf8, inLatin]) {
    const key = decipher(envelope.encrypted, scheme(bytes));
    if (key !== null) return key;
  }
  return 'wrongPassword';
}

interface Envelope {
  readonly algorithm: DerNode;
  readonly encrypted: Buffer;
}

/** How a file is deciphered once its password is known. */
interface Secret {
  readonly cipher: string;
  readonly key: Buffer;
  readonly iv: Buffer;
}

type Scheme = (password: Buffer) => Secret;

/** More would let a crafted file hold the process. */
const MOST_ITERATIONS = 20_000;

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
    const algorithm = partAt(outer, 0, DER.sequence);
    const { content: encrypted } = partAt(outer, 1, DER.octets);
    return identifierOf(partAt(algorithm, 0, DER.identifier)).startsWith('1.2.840.113549.1.')
      ? { algorithm, encrypted }
      : null;
  } catch {
    return null;
  }
}

function schemeOf(algorithm: DerNode): Scheme | null {
  try {
    const name = identifierOf(partAt(algorithm, 0, DER.identifier));
    const parameters = partAt(algorithm, 1, DER.sequence);
    return name === PBES2 ? passwordScheme2(parameters) : passwordScheme1(name, parameters);
  } catch {
    return null;
  }
}

function passwordScheme2(parameters: DerNode): Scheme | null {
  const derivation = partAt(parameters, 0, DER.sequence);
  const encryption = partAt(parameters, 1, DER.sequence);
  const chosen = CIPHERS[identifierOf(partAt(encryption, 0, DER.identifier))];
  if (identifierOf(partAt(derivation, 0, DER.identifier)) !== PBKDF2 || chosen === undefined) return null;
  const settings = partAt(derivation, 1, DER.sequence);
  const { content: salt } = partAt(settings, 0, DER.octets);
  const iterations = numberOf(partAt(settings, 1, DER.integer));
  const digestNode = partsOf(settings).find(({ tag }) => tag === DER.sequence);
  const digest = digestNode ? HMAC_DIGESTS[identifierOf(partAt(digestNode, 0, DER.identifier))] : 'sha1';
  if (digest === undefined || iterations < 1 || iterations > MOST_ITERATIONS) return null;
  const { content: iv } = partAt(encryption, 1, DER.octets);
  const { cipher, keyBytes } = chosen;
  return (password) => ({ cipher, key: asTriple(pbkdf2Sync(password, salt, iterations, keyBytes, digest)), iv });
}

function passwordScheme1(name: string, parameters: DerNode): Scheme | null {
  const digest = DIGEST_WITH_DES[name];
  const { content: salt } = partAt(parameters, 0, DER.octets);
  const iterations = numberOf(partAt(parameters, 1, DER.integer));
  if (digest === undefined || iterations < 1 || iterations > MOST_ITERATIONS) return null;
  return (password) => {
    let derived: Buffer = Buffer.concat([password, salt]);
    for (let round = 0; round < iterations; round += 1) derived = createHash(digest).update(derived).digest();
    return { cipher: 'des-ede3-cbc', key: asTriple(derived.subarray(0, 8)), iv: derived.subarray(8, 16) };
  };
}

/** Triple DES with three equal keys is single DES. */
function asTriple(key: Buffer): Buffer {
  return key.length === 8 ? Buffer.concat([key, key, key]) : key;
}

function decipher(encrypted: Buffer, { cipher, key, iv }: Secret): KeyObject | null {
  try {
    const opening = createDecipheriv(cipher, key, iv);
    const plain = Buffer.concat([opening.update(encrypted), opening.final()]);
    return createPrivateKey({ key: plain, format: 'der', type: 'pkcs8' });
  } catch {
    return null;
  }
}
