import { X509Certificate } from 'node:crypto';

export interface CertificateFacts {
  /** The 20 digits that the tax authority prints, or the hexadecimal serial if it does not encode digits. */
  readonly serialNumber: string;
  readonly holder: string | null;
  /** RFC of the holder. For a company it is not the one of its representative. */
  readonly rfc: string | null;
  /** CURP of the holder. Null for a company, whose certificate has only the one of its representative. */
  readonly curp: string | null;
  readonly issuer: string | null;
  readonly validFrom: Date;
  readonly validUntil: Date;
}

export interface ReadableCertificate {
  readonly facts: CertificateFacts;
  readonly x509: X509Certificate;
  readonly representativeRfc: string | null;
  readonly isEfirma: boolean;
  readonly namesTaxAuthority: boolean;
}

/** Maximum number of certificates that are read of a chain. */
const MAX_CHAIN = 10;

/**
 * Reads a certificate in DER or PEM, or that of the holder in a chain of PEM, where an e.firma is preferred to a seal, and the renewed one to
 * an earlier one. Returns null if the file is not a complete certificate.
 */
export function readCertificate(file: Buffer): ReadableCertificate | null {
  const text = readFileText(file);
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  const single = toX509(file) ?? toX509(Buffer.from(bareBase64.exec(text)?.[0] ?? '', 'base64'));
  const chain =
    single !== null && blocks.length < 2 ? [single] : blocks.slice(0, MAX_CHAIN).flatMap((each) => toX509(each) ?? []);
  const holders = chain.filter(({ ca }) => !ca).sort((left, right) => endOf(right) - endOf(left));
  const holder = holders.find(hasExtendedUsage) ?? holders[0] ?? chain[0];
  try {
    return holder === undefined ? null : describe(holder);
  } catch {
    return null;
  }
}

/** Returns the text of a file, which Windows saves as UTF-16 with a byte order mark if a person chooses "Unicode". */
export const readFileText = (file: Buffer): string =>
  file[0] === 0xff && file[1] === 0xfe ? file.subarray(2).toString('utf16le') : file.toString('latin1');

/** Matches a file of base64 without the lines of PEM around it. DER begins with `M` in base64. */
export const bareBase64 = /^\s*M[A-Za-z0-9+/=\s]{100,}$/;

function toX509(text: Buffer | string): X509Certificate | null {
  try {
    return new X509Certificate(text);
  } catch {
    return null;
  }
}

const endOf = ({ validTo }: X509Certificate): number => Date.parse(validTo);

function describe(x509: X509Certificate): ReadableCertificate | null {
  // Only the legacy object has unescaped attribute values (`subject` has '\ / CURP' instead of ' / CURP').
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

/** Maximum length of an attribute. Names of holders have about a tenth of it. Normalising takes time quadratic in the combining marks. */
const MAX_ATTRIBUTE_LENGTH = 1_000;

function toAttributes(name: object): ReadonlyMap<string, string> {
  // A repeated attribute is an array, whose first value is used. A certificate without a subject has no object.
  const pairs = Object.entries(name ?? {}).map(([key, value]) => [
    key,
    String(Array.isArray(value) ? value[0] : value).slice(0, MAX_ATTRIBUTE_LENGTH),
  ]);
  return new Map(pairs as [string, string][]);
}

/** Splits an attribute: 'HOLDER' or 'HOLDER / ' for a person, 'COMPANY / REPRESENTATIVE' or ' / REPRESENTATIVE' for a company. */
function splitHolder(value = ''): readonly [string | null, string | null] {
  const [holder = '', representative = ''] = value.split('/').map((part) => part.trim().normalize('NFC').toUpperCase());
  return [holder || null, representative || null];
}

/** Returns a serial as digits. The tax authority encodes them as ASCII, so 30… is 3330… in hexadecimal. */
function formatSerial(hex: string): string {
  const text = Buffer.from(hex, 'hex').toString('latin1');
  return /^\d+$/.test(text) ? text : hex;
}

/**
 * Whether a certificate has an extended key usage (e-mail, client), as an e.firma does and a seal (CSD) does not. Node calls it
 * `keyUsage`.
 */
function hasExtendedUsage(x509: X509Certificate): boolean {
  return (x509.keyUsage ?? []).length > 0;
}

const TAX_AUTHORITY_NAME = 'SERVICIO DE ADMINISTRACION TRIBUTARIA';
const TAX_AUTHORITY_RFC = 'SAT970701NN3';

/** Whether the issuer has the name of the tax authority. This is no proof, but detects certificates that the service cannot know. */
function isTaxAuthority(issuer: ReadonlyMap<string, string>): boolean {
  const organization = (issuer.get('O') ?? '').normalize('NFD').replace(/\p{M}/gu, '').trim().toUpperCase();
  return organization === TAX_AUTHORITY_NAME || issuer.get('x500UniqueIdentifier') === TAX_AUTHORITY_RFC;
}
