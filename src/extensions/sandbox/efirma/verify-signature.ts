import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

export type SignatureVerdict =
  | { readonly valid: true }
  | {
      readonly valid: false;
      readonly field: 'userId' | 'password' | 'certificate' | 'privateKey';
      readonly message: string;
    };

export interface SubmittedSignature {
  readonly userId: string;
  readonly password: string;
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
}

export interface Trust {
  readonly authorities: readonly X509Certificate[];
  readonly revokedSerials: ReadonlySet<string>;
  readonly now: Date;
}

/** Verifies a signature and returns the first error, in the order in which a person would fix them. */
export function verifySignature(submitted: SubmittedSignature, trust: Trust): SignatureVerdict {
  const certificate = readCertificate(submitted.certificate);
  if (certificate === null) return invalid('certificate', 'El archivo no es un certificado digital (.cer) legible.');
  const key = openKey(submitted.privateKey, submitted.password);
  if (key === 'notAnEncryptedKey') return invalid('privateKey', 'El archivo no es una llave privada (.key) cifrada.');
  if (key === 'unknownCipher') return invalid('privateKey', 'El cifrado de la llave privada no está soportado.');
  if (key === 'wrongPassword') return invalid('password', 'La contraseña no corresponde a la llave privada.');
  if (!matchesCertificate(key, certificate))
    return invalid('privateKey', 'La llave privada no corresponde al certificado.');
  return verifyCertificate(certificate, submitted.userId, trust);
}

function verifyCertificate(certificate: TaxCertificate, userId: string, trust: Trust): SignatureVerdict {
  if (!certificate.isEfirma)
    return invalid('certificate', 'El certificado no es de e.firma (es un sello digital u otro).');
  if (normalizeRfc(certificate.rfc) !== normalizeRfc(userId)) {
    return invalid('userId', 'El RFC no corresponde al titular del certificado.');
  }
  if (!isIssuedByTrusted(certificate, trust.authorities)) {
    return invalid('certificate', 'El certificado no fue emitido por una autoridad certificadora reconocida.');
  }
  if (trust.now < certificate.validFrom) return invalid('certificate', 'El certificado aún no es vigente.');
  if (trust.now > certificate.validUntil) return invalid('certificate', 'El certificado ha expirado.');
  if (trust.revokedSerials.has(certificate.serial)) return invalid('certificate', 'El certificado ha sido revocado.');
  return { valid: true };
}

/** Reads the certificates of authorities from files in DER or PEM. A PEM file may contain several. */
export function readAuthorities(files: readonly string[]): readonly X509Certificate[] {
  return files.flatMap((file) => {
    try {
      return parseAuthorities(readFileSync(file));
    } catch (error) {
      throw new Error(`No certificate of an authority can be read from ${file}. It must be in DER or PEM.`, {
        cause: error,
      });
    }
  });
}

function parseAuthorities(bytes: Buffer): readonly X509Certificate[] {
  const blocks = bytes.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  return (blocks ?? [bytes]).map((block) => new X509Certificate(block));
}

function invalid(field: Exclude<SignatureVerdict, { valid: true }>['field'], message: string): SignatureVerdict {
  return { valid: false, field, message };
}

function normalizeRfc(rfc: string): string {
  return rfc.normalize('NFC').trim().toUpperCase();
}

function matchesCertificate(key: KeyObject, { x509 }: TaxCertificate): boolean {
  try {
    return x509.checkPrivateKey(key);
  } catch {
    return false;
  }
}

/**
 * Whether a trusted authority signed the certificate. The authority's own certificate may have expired, because those of test
 * authorities often have.
 */
function isIssuedByTrusted({ x509 }: TaxCertificate, authorities: readonly X509Certificate[]): boolean {
  return authorities.some((authority) => {
    try {
      return x509.checkIssued(authority) && x509.verify(authority.publicKey);
    } catch {
      return false;
    }
  });
}

interface TaxCertificate {
  readonly x509: X509Certificate;
  readonly serial: string;
  readonly rfc: string;
  readonly isEfirma: boolean;
  readonly validFrom: Date;
  readonly validUntil: Date;
}

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';

/** Reads a certificate in DER or PEM. Returns null if the file is not a certificate. */
function readCertificate(file: Buffer): TaxCertificate | null {
  try {
    const x509 = new X509Certificate(file);
    const subject: Readonly<Record<string, unknown>> = { ...x509.toLegacyObject().subject };
    return {
      x509,
      // The 20 digits of the tax authority are the serial's bytes in ASCII.
      serial: Buffer.from(x509.serialNumber, 'hex').toString('latin1'),
      // A person's certificate contains 'RFC', a company's 'RFC / RFC of the representative'.
      rfc: (String(subject.x500UniqueIdentifier ?? '').split('/')[0] ?? '').trim(),
      // Node calls the extended key usage `keyUsage`. A seal has none.
      isEfirma: x509.keyUsage?.includes(CLIENT_AUTHENTICATION) === true,
      validFrom: new Date(x509.validFrom),
      validUntil: new Date(x509.validTo),
    };
  } catch {
    return null;
  }
}

type DecryptedKey = KeyObject | 'notAnEncryptedKey' | 'wrongPassword' | 'unknownCipher';

/** Maximum size of a file, so that a crafted key cannot block the process. The tax authority's have about 1,300 bytes. */
const MAX_BYTES = 4_096;

/** The beginning of an encrypted PKCS #8 file, in hexadecimal. */
const ENCRYPTED = /^30(?:82....|81..|..)30[0-7].06..2a864886f70d01/;
/** The same with PBKDF2 and at most two bytes of iterations, because more would block the process. */
const BOUNDED_WORK =
  /^308(?:1..|2....)30[0-7].06092a864886f70d01050d30[0-7].30[0-7].06092a864886f70d01050c30[0-7].04(?:08.{16}|10.{32})02(?:01..|02....)/;
/** The object identifiers of triple DES and AES. OpenSSL 3 no longer supports single DES. */
const KNOWN_CIPHER = /06082a864886f70d0307|0609608648016503040(?:102|116|12a)/;

function openKey(file: Buffer, password: string): DecryptedKey {
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
