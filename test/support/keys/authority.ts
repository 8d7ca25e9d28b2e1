import 'reflect-metadata';
import { createPublicKey, type KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { authorityName, type Subject, subjectName } from './distinguished-name';
import { encryptAsTaxAuthority } from './encrypted-key';
import { newKey, sharedKey } from './rsa-keys';

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
