import { X509Certificate } from 'node:crypto';
import { DER_TAGS, type DerNode, decodeObjectIdentifier, getChild, readChildren, readDer } from './asn1';

/** A certificate with the facts that the tax authority reads from it. */
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

/** Reads a certificate in DER or PEM. Returns null if the file is not a certificate. */
export function readCertificate(file: Buffer): TaxCertificate | null {
  try {
    const x509 = new X509Certificate(file);
    const fields = readChildren(getChild(readDer(x509.raw), 0, DER_TAGS.sequence)).filter(({ tag }) => tag !== VERSION);
    const [serial, , , , subject] = fields;
    const extensions = fields.find(({ tag }) => tag === EXTENSIONS);
    if (serial === undefined || subject === undefined) return null;
    return {
      x509,
      serial: serial.content.toString('latin1'),
      rfc: readHolder(subject),
      isEfirma: extensions !== undefined && readExtendedKeyUsages(extensions).includes(CLIENT_AUTHENTICATION),
      validFrom: new Date(x509.validFrom),
      validUntil: new Date(x509.validTo),
    };
  } catch {
    return null;
  }
}

/** Returns the holder's RFC. A person's certificate contains 'RFC', a company's 'RFC / RFC of the representative'. */
function readHolder(subject: DerNode): string {
  for (const set of readChildren(subject)) {
    const [type, value] = readChildren(getChild(set, 0, DER_TAGS.sequence));
    if (type === undefined || value === undefined || decodeObjectIdentifier(type) !== UNIQUE_IDENTIFIER) continue;
    return (decodeText(value).split('/')[0] ?? '').trim();
  }
  return '';
}

/** Decodes a text. Certificates encode Ñ in T61 (read as Latin-1), UTF-8 or rarely UTF-16. */
function decodeText({ tag, content }: DerNode): string {
  if (tag === DER_TAGS.t61) return content.toString('latin1');
  if (tag === DER_TAGS.bmp) return Buffer.from(content).swap16().toString('utf16le');
  return content.toString('utf8');
}

function readExtendedKeyUsages(extensions: DerNode): readonly string[] {
  for (const extension of readChildren(getChild(extensions, 0, DER_TAGS.sequence))) {
    const parts = readChildren(extension);
    const value = parts.at(-1);
    if (parts[0] === undefined || value === undefined || decodeObjectIdentifier(parts[0]) !== EXTENDED_KEY_USAGE)
      continue;
    return readChildren(readDer(value.content)).map(decodeObjectIdentifier);
  }
  return [];
}
