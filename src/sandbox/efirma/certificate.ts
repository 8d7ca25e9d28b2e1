import { X509Certificate } from 'node:crypto';

/** A certificate with the facts that the tax authority reads from it. */
export interface TaxCertificate {
  readonly x509: X509Certificate;
  readonly serial: string;
  readonly rfc: string;
  readonly isEfirma: boolean;
  readonly validFrom: Date;
  readonly validUntil: Date;
}

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';

/** Reads a certificate in DER or PEM. Returns null if the file is not a certificate. */
export function readCertificate(file: Buffer): TaxCertificate | null {
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
