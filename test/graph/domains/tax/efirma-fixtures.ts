import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../../fixtures/efirma');

/** A certificate with its key and password. */
export interface CredentialFixture {
  readonly name: string;
  /** The taxpayer code in the name of the folder, which has N~ for Ñ and AMP for &. */
  readonly rfc: string;
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  readonly password: string;
}

/** The e.firma pairs. */
export const signatures = (): readonly CredentialFixture[] => pairsIn('fiel');

/** The pairs that are seals for invoices. */
export const seals = (): readonly CredentialFixture[] => pairsIn('csd');

/** The paths of the test authorities' certificates. */
export function authorityFiles(): readonly string[] {
  const folder = join(FOLDER, 'ca-test');
  return readdirSync(folder).map((file) => join(folder, file));
}

function pairsIn(kind: 'fiel' | 'csd'): readonly CredentialFixture[] {
  return readdirSync(join(FOLDER, kind)).map((name) => ({
    name,
    rfc: name.replace(/_.*/, '').replace('N~', 'Ñ').replace('AMP', '&'),
    certificate: readFileSync(join(FOLDER, kind, name, 'certificate.cer')),
    privateKey: readFileSync(join(FOLDER, kind, name, 'private_key.key')),
    password: '12345678a',
  }));
}
