import 'reflect-metadata';
import { type KeyObject, webcrypto } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import { newKey } from './rsa-keys';

/** Files of a server that speaks TLS, as PEM; `authority` is what its clients trust. */
export interface TlsFiles {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const RSA_SHA256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const day = 86_400_000;

/** A certificate of `127.0.0.1` and `localhost`, or of another name, by an authority that was made for it alone. */
export async function makeTlsFiles(names: readonly string[] = ['localhost', '127.0.0.1']): Promise<TlsFiles> {
  const [authorityKey, serverKey] = await Promise.all([newKey(), newKey()]);
  const validity = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };
  const authorityKeys = await keysOf(authorityKey);
  const authority = await x509.X509CertificateGenerator.createSelfSigned(
    {
      ...validity,
      name: 'CN=padron test authority',
      keys: authorityKeys,
      signingAlgorithm: RSA_SHA256,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      ],
    },
    webcrypto,
  );
  const certificate = await x509.X509CertificateGenerator.create(
    {
      ...validity,
      subject: `CN=${names[0]}`,
      issuer: authority.subject,
      publicKey: (await keysOf(serverKey)).publicKey,
      signingKey: authorityKeys.privateKey,
      signingAlgorithm: RSA_SHA256,
      extensions: [
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: /^[\d.]+$/.test(value) ? 'ip' : 'dns', value })),
        ),
      ],
    },
    webcrypto,
  );
  const folder = mkdtempSync(join(tmpdir(), 'padron-tls-'));
  const written = (name: string, pem: string): string => {
    writeFileSync(join(folder, name), pem, { mode: 0o600 });
    return join(folder, name);
  };
  return {
    authority: written('authority.pem', authority.toString('pem')),
    certificate: written('certificate.pem', certificate.toString('pem')),
    key: written('key.pem', serverKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
  };
}

async function keysOf(key: KeyObject): Promise<webcrypto.CryptoKeyPair> {
  const der = key.export({ type: 'pkcs8', format: 'der' });
  const { kty, n, e } = key.export({ format: 'jwk' });
  const { subtle } = webcrypto;
  return {
    privateKey: await subtle.importKey('pkcs8', der, RSA_SHA256, false, ['sign']),
    publicKey: await subtle.importKey('jwk', { ...(kty && n && e ? { kty, n, e } : {}) }, RSA_SHA256, true, ['verify']),
  };
}
