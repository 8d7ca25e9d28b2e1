import 'reflect-metadata';
import { createPublicKey, type KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { ia5, objectIdentifier, printable, sequence, set, t61 } from './der';
import { encryptAsTaxAuthority } from './encrypted-key';
import { newKey, sharedKey } from './rsa-keys';

interface Subject {
  readonly rfc: string;
  /** The holder's; for a company its representative's. */
  readonly curp: string;
  readonly name: string;
  /** The representative of a company. Omitted for a person. */
  readonly representative?: { readonly rfc: string };
  readonly kind?: 'efirma' | 'seal';
}

export interface CertificateRequest extends Subject {
  readonly validFrom?: Date;
  readonly validUntil?: Date;
  readonly password?: string;
  /** 20 digits; counted up otherwise. */
  readonly serial?: string;
  /** RSA keys are slow to make, so that certificates share one unless they must not. */
  readonly ownKey?: boolean;
}

export interface IssuedCredential {
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  readonly password: string;
  readonly rfc: string;
  readonly serial: string;
}

export interface Authority {
  readonly certificate: Buffer;
  readonly pem: string;
  issue(request: CertificateRequest): Promise<IssuedCredential>;
}

const RSA_SHA256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const EMAIL_AND_CLIENT = ['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.2'];
const NETSCAPE_TYPE = new x509.Extension('2.16.840.1.113730.1.1', false, Buffer.from('030205a0', 'hex'));

/** Makes a new authority with its own key, which is kept nowhere else. */
export async function mintAuthority({
  commonName = 'AC UAT',
  organization = 'SERVICIO DE ADMINISTRACION TRIBUTARIA',
  validFrom = new Date('2026-01-01T00:00:00Z'),
  validUntil = new Date('2046-01-01T00:00:00Z'),
} = {}): Promise<Authority> {
  const key = await newKey();
  const name = new x509.Name(authorityName(commonName, organization));
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: Buffer.from('30001000000900000000', 'latin1').toString('hex'),
      subject: name,
      issuer: name,
      notBefore: validFrom,
      notAfter: validUntil,
      publicKey: await publicKeyOf(key),
      signingKey: await signingKeyOf(key),
      signingAlgorithm: RSA_SHA256,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      ],
    },
    webcrypto,
  );
  let issued = 0;
  return {
    certificate: Buffer.from(certificate.rawData),
    pem: `${certificate.toString('pem')}\n`,
    issue: (request) => {
      issued += 1;
      const serial = request.serial ?? String(30001000000900000000n + BigInt(issued));
      return issue({ ...request, serial }, { key, name });
    },
  };
}

async function issue(
  request: CertificateRequest & { readonly serial: string },
  authority: { readonly key: KeyObject; readonly name: x509.Name },
): Promise<IssuedCredential> {
  const key = request.ownKey ? await newKey() : await sharedKey();
  const { password = '12345678a', serial, rfc } = request;
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: Buffer.from(serial, 'latin1').toString('hex'),
      subject: new x509.Name(subjectName(request)),
      issuer: authority.name,
      notBefore: request.validFrom ?? new Date('2026-01-01T00:00:00Z'),
      notAfter: request.validUntil ?? new Date('2030-01-01T00:00:00Z'),
      publicKey: await publicKeyOf(key),
      signingKey: await signingKeyOf(authority.key),
      signingAlgorithm: RSA_SHA256,
      extensions: extensionsOf(request.kind),
    },
    webcrypto,
  );
  return {
    certificate: Buffer.from(certificate.rawData),
    privateKey: encryptAsTaxAuthority(key, password),
    password,
    rfc,
    serial,
  };
}

function extensionsOf(kind: CertificateRequest['kind']): x509.Extension[] {
  const { digitalSignature, nonRepudiation, dataEncipherment, keyAgreement } = x509.KeyUsageFlags;
  const leaf = new x509.BasicConstraintsExtension(false, undefined, true);
  if (kind === 'seal') return [leaf, new x509.KeyUsagesExtension(digitalSignature | nonRepudiation)];
  return [
    leaf,
    new x509.KeyUsagesExtension(digitalSignature | nonRepudiation | dataEncipherment | keyAgreement),
    NETSCAPE_TYPE,
    new x509.ExtendedKeyUsageExtension(EMAIL_AND_CLIENT),
  ];
}

function signingKeyOf(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const der = key.export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', der, RSA_SHA256, false, ['sign']);
}

function publicKeyOf(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return webcrypto.subtle.importKey('spki', der, RSA_SHA256, true, ['verify']);
}

type Attribute = readonly [identifier: string, value: string];

const COMMON_NAME = '550403';
const SERIAL_NUMBER = '550405';
const COUNTRY = '550406';
const ORGANIZATION = '55040a';
const ORGANIZATIONAL_UNIT = '55040b';
const NAME = '550429';
const UNIQUE_IDENTIFIER = '55042d';
const EMAIL = '2a864886f70d010901';

/** A holder's name, written as the tax authority writes it, in DER. */
function subjectName({ rfc, curp, name, representative, kind }: Subject): Buffer {
  const identifiers: readonly Attribute[] = [
    [UNIQUE_IDENTIFIER, representative === undefined ? rfc : `${rfc} / ${representative.rfc}`],
    [SERIAL_NUMBER, representative === undefined ? curp : ` / ${curp}`],
  ];
  const names: readonly Attribute[] = [COMMON_NAME, NAME, ORGANIZATION].map((attribute) => [attribute, name]);
  return kind === 'seal'
    ? nameOf([...names, ...identifiers, [ORGANIZATIONAL_UNIT, 'Sucursal 1']])
    : nameOf([...names, [COUNTRY, 'MX'], [EMAIL, 'pruebas@pruebas.gob.mx'], ...identifiers]);
}

function authorityName(commonName: string, organization: string): Buffer {
  return nameOf([
    [COMMON_NAME, commonName],
    [ORGANIZATION, organization],
    [ORGANIZATIONAL_UNIT, 'SAT-IES Authority'],
    [COUNTRY, 'MX'],
    [UNIQUE_IDENTIFIER, '2.5.4.45'],
  ]);
}

function nameOf(attributes: readonly Attribute[]): Buffer {
  return sequence(...attributes.map(([id, value]) => set(sequence(objectIdentifier(id), textOf(id, value)))));
}

/** The tax authority writes Latin-1 as T61 if a printable string cannot contain the text (Ñ, &). */
function textOf(identifier: string, value: string): Buffer {
  if (identifier === EMAIL) return ia5(value);
  return /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value) ? printable(value) : t61(value);
}
