import { type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readCertificate, type TaxCertificate } from './certificate';
import { openKey } from './private-key';

/** The service's verdict about a signature. */
export type SignatureVerdict =
  | { readonly valid: true }
  | {
      readonly valid: false;
      readonly field: 'userId' | 'password' | 'certificate' | 'privateKey';
      readonly message: string;
    };

/** The four parts of the form. */
export interface SubmittedSignature {
  readonly userId: string;
  readonly password: string;
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
}

/** Facts that are not part of the request: the trusted authorities, the revoked serials and the time. */
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
