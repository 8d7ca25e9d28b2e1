import { X509Certificate } from 'node:crypto';
// Public test material, good for nothing but the sandbox. Written by test/support/keys/mint-sandbox-credentials.ts.
import files from './credential-files.json';

export interface SandboxCredential {
  readonly name: 'person' | 'company' | 'revoked' | 'expired' | 'seal';
  readonly rfc: string;
  readonly password: string;
  /** The .cer file. Each access returns a new copy, so that callers can overwrite it. */
  readonly certificate: Buffer;
  /** The .key file. Each access returns a new copy. */
  readonly privateKey: Buffer;
}

/** The authorities that the sandbox's signature check always trusts. */
export const sandboxAuthorities: readonly X509Certificate[] = [
  new X509Certificate(Buffer.from(files.authority.certificate, 'base64')),
];

/** Serial numbers of revoked certificates, in the 20 digits that the tax authority prints. */
export const sandboxRevokedSerials: ReadonlySet<string> = new Set([files.revoked.serial]);

/** Two credentials that are valid until 2046, and one for each reason to be invalid. */
export const sandboxCredentials: readonly SandboxCredential[] = (
  ['person', 'company', 'revoked', 'expired', 'seal'] as const
).map((name) => {
  const { rfc, password, certificate, privateKey } = files[name];
  return {
    name,
    rfc,
    password,
    get certificate() {
      return Buffer.from(certificate, 'base64');
    },
    get privateKey() {
      return Buffer.from(privateKey, 'base64');
    },
  };
});
