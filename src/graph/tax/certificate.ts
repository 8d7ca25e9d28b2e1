import { X509Certificate } from 'node:crypto';

/** What a certificate says about itself. */
export interface CertificateFacts {
  /** The 20 digits that the tax authority prints; the hexadecimal serial where they are not such digits. */
  readonly serialNumber: string;
  readonly holder: string | null;
  /** The holder's taxpayer code: for a company its own, not its representative's. */
  readonly rfc: string | null;
  /** The holder's CURP: null for a company, whose certificate only names its representative's. */
  readonly curp: string | null;
  readonly issuer: string | null;
  readonly validFrom: Date;
  readonly validUntil: Date;
}

/** A certificate that could be read, with what the credential check asks of it. */
export interface ReadableCertificate {
  readonly facts: CertificateFacts;
  readonly x509: X509Certificate;
  readonly representativeRfc: string | null;
  readonly isEfirma: boolean;
  readonly namesTaxAuthority: boolean;
}

/** Reads DER or PEM; null for anything that is not a whole certificate. */
export function readCertificate(file: Buffer): ReadableCertificate | null {
  try {
    return describe(new X509Certificate(file));
  } catch {
    return null;
  }
}

function describe(x509: X509Certificate): ReadableCertificate | null {
  // The legacy object is the one place where Node gives attribute values unescaped (`subject` prints ' / CURP' as '\ / CURP').
  const { subject, issuer } = x509.toLegacyObject();
  const holder = toAttributes(subject);
  const authority = toAttributes(issuer);
  const [rfc, representativeRfc] = splitHolder(holder.get('x500UniqueIdentifier'));
  const [curp] = splitHolder(holder.get('serialNumber'));
  const facts: CertificateFacts = {
    serialNumber: formatSerial(x509.serialNumber),
    holder: holder.get('CN') ?? null,
    rfc,
    curp,
    issuer: authority.get('CN') ?? authority.get('O') ?? null,
    validFrom: new Date(x509.validFrom),
    validUntil: new Date(x509.validTo),
  };
  if (Number.isNaN(facts.validFrom.getTime()) || Number.isNaN(facts.validUntil.getTime())) return null;
  return {
    facts,
    x509,
    representativeRfc,
    isEfirma: rfc !== null && !x509.ca && hasExtendedUsage(x509),
    namesTaxAuthority: isTaxAuthority(authority),
  };
}

/** Names of holders have a tenth of it. Composing marks takes time by the square of their number, and a file may hold many. */
const MAX_ATTRIBUTE_LENGTH = 1_000;

function toAttributes(name: object): ReadonlyMap<string, string> {
  // An attribute given twice comes as an array; the first one counts. A certificate without a subject has no object here.
  const pairs = Object.entries(name ?? {}).map(([key, value]) => [
    key,
    String(Array.isArray(value) ? value[0] : value).slice(0, MAX_ATTRIBUTE_LENGTH),
  ]);
  return new Map(pairs as [string, string][]);
}

/** A person's attribute is 'HOLDER' (sometimes 'HOLDER / '), a company's 'COMPANY / REPRESENTATIVE' or ' / REPRESENTATIVE'. */
function splitHolder(value = ''): readonly [string | null, string | null] {
  const [holder = '', representative = ''] = value.split('/').map((part) => part.trim().normalize('NFC').toUpperCase());
  return [holder || null, representative || null];
}

/** The tax authority's serials are ASCII digits, so their hexadecimal form reads 3330… for 30…. */
function formatSerial(hex: string): string {
  const text = Buffer.from(hex, 'hex').toString('latin1');
  return /^\d+$/.test(text) ? text : hex;
}

/** An e.firma carries an extended key usage (e-mail, client); a seal (CSD) carries none. Node calls it `keyUsage`. */
function hasExtendedUsage(x509: X509Certificate): boolean {
  return (x509.keyUsage ?? []).length > 0;
}

const TAX_AUTHORITY_NAME = 'SERVICIO DE ADMINISTRACION TRIBUTARIA';
const TAX_AUTHORITY_RFC = 'SAT970701NN3';

/** By name only: proves nothing, but tells a foreign certificate from one that the service may know. */
function isTaxAuthority(issuer: ReadonlyMap<string, string>): boolean {
  const organization = (issuer.get('O') ?? '').normalize('NFD').replace(/\p{M}/gu, '').trim().toUpperCase();
  return organization === TAX_AUTHORITY_NAME || issuer.get('x500UniqueIdentifier') === TAX_AUTHORITY_RFC;
}
