import { X509Certificate } from 'node:crypto';
import { DER, type DerNode, identifierOf, partAt, partsOf, readDer } from './asn1';

/** A certificate as the tax authority reads it. */
export interface TaxCertificate {
  readonly x509: X509Certificate;
  readonly serial: string;
  readonly rfc: string;
  readonly isEfirma: boolean;
  readonly validFrom: Date;
  readonly validUntil: Date;
}

const UNIQUE_IDENTIFIER = '2.5.4.45';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const EXTENSIONS = 0xa3;
const VERSION = 0xa0;

/** Reads DER or PEM; null when it is no certificate. */
export function readCertificate(file: Buffer): TaxCertificate | null {
  try {
    const x509 = new X509Certificate(file);
    const fields = partsOf(partAt(readDer(x509.raw), 0, DER.sequence)).filter(({ tag }) => tag !== VERSION);
    const [serial, , , , subject] = fields;
    const extensions = fields.find(({ tag }) => tag === EXTENSIONS);
    if (serial === undefined || subject === undefined) return null;
    return {
      x509,
      serial: serial.content.toString('latin1'),
      rfc: holderOf(subject),
      isEfirma: extensions !== undefined && usagesOf(extensions).includes(CLIENT_AUTHENTICATION),
      validFrom: new Date(x509.validFrom),
      validUntil: new Date(x509.validTo),
    };
  } catch {
    return null;
  }
}

/** 'RFC' of a person, 'RFC / RFC of the representative' of a company. */
function holderOf(subject: DerNode): string {
  for (const set of partsOf(subject)) {
    const [type, value] = partsOf(partAt(set, 0, DER.sequence));
    if (type === undefined || value === undefined || identifierOf(type) !== UNIQUE_IDENTIFIER) continue;
    return (textOf(value).split('/')[0] ?? '').trim();
  }
  return '';
}

/** Ñ is written in T61 (which everybody reads as Latin-1), UTF-8 or, seldom, UTF-16. */
function textOf({ tag, content }: DerNode): string {
  if (tag === DER.t61) return content.toString('latin1');
  if (tag === DER.bmp) return Buffer.from(content).swap16().toString('utf16le');
  return content.toString('utf8');
}

function usagesOf(extensions: DerNode): readonly string[] {
  for (const extension of partsOf(partAt(extensions, 0, DER.sequence))) {
    const parts = partsOf(extension);
    const value = parts.at(-1);
    if (parts[0] === undefined || value === undefined || identifierOf(parts[0]) !== EXTENDED_KEY_USAGE) continue;
    return partsOf(readDer(value.content)).map(identifierOf);
  }
  return [];
}
