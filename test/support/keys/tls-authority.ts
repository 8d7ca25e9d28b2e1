import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

export interface TlsCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of a company, which programs only trust if they are told to. */
export interface TlsAuthority {
  readonly pem: string;
  issue(...names: readonly string[]): Promise<TlsCertificate>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
const validity = { notBefore: new Date('2026-01-01T00:00:00Z'), notAfter: new Date('2046-01-01T00:00:00Z') };

export async function mintTlsAuthority(): Promise<TlsAuthority> {
  const keys = await newKeys();
  const issuer = 'CN=Authority of the bank';
  const root = await x509.X509CertificateGenerator.createSelfSigned(
    {
      ...validity,
      serialNumber: '01',
      name: issuer,
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      ],
    },
    webcrypto,
  );
  return {
    pem: `${root.toString('pem')}\n`,
    issue: async (...names) => {
      const { publicKey, privateKey } = await newKeys();
      const certificate = await x509.X509CertificateGenerator.create(
        {
          ...validity,
          serialNumber: '02',
          subject: `CN=${names[0]}`,
          issuer,
          publicKey,
          signingKey: keys.privateKey,
          signingAlgorithm: algorithm,
          extensions: [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
        },
        webcrypto,
      );
      const exported = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey)).toString('base64');
      const key = `-----BEGIN PRIVATE KEY-----\n${exported}\n-----END PRIVATE KEY-----\n`;
      return { cert: `${certificate.toString('pem')}\n`, key };
    },
  };
}
