import { X509Certificate } from 'node:crypto';
import { authority, company, expired, person, revoked, seal } from './credential-files';

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
  new X509Certificate(Buffer.from(authority.certificate, 'base64')),
];

/** Serial numbers of revoked certificates, in the 20 digits that the tax authority prints. */
export const sandboxRevokedSerials: ReadonlySet<string> = new Set([revoked.serial]);

/** Two credentials that are valid until 2046, and one for each reason to be invalid. */
export const sandboxCredentials: readonly SandboxCredential[] = [
  makeCredential('person', person),
  makeCredential('company', company),
  makeCredential('revoked', revoked),
  makeCredential('expired', expired),
  makeCredential('seal', seal),
];

type Files = Readonly<Record<'rfc' | 'password' | 'certificate' | 'privateKey', string>>;

function makeCredential(name: SandboxCredential['name'], { rfc, password, ...files }: Files): SandboxCredential {
  return {
    name,
    rfc,
    password,
    get certificate() {
      return Buffer.from(files.certificate, 'base64');
    },
    get privateKey() {
      return Buffer.from(files.privateKey, 'base64');
    },
  };
}
