import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '/work/shared/fixtures/efirma';

/** Whether the tax authority's public test files are at hand; they are not part of the project. */
export const efirmaFixtures = existsSync(FOLDER);

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
  return efirmaFixtures ? readdirSync(folder).map((file) => join(folder, file)) : [];
}

function pairsIn(kind: 'fiel' | 'csd'): readonly CredentialFixture[] {
  // A table of tests must not be empty, not even where it is skipped.
  if (!efirmaFixtures) return [NOTHING];
  return readdirSync(join(FOLDER, kind))
    .filter((name) => existsSync(join(FOLDER, kind, name, 'private_key.key')))
    .map((name) => ({
      name,
      rfc: name.replace(/_.*/, '').replace('N~', 'Ñ').replace('AMP', '&'),
      certificate: readFileSync(join(FOLDER, kind, name, 'certificate.cer')),
      privateKey: readFileSync(join(FOLDER, kind, name, 'private_key.key')),
      password: readFileSync(join(FOLDER, kind, name, 'password.txt'), 'utf8'),
    }));
}

const NOTHING: CredentialFixture = {
  name: 'none at hand',
  rfc: '',
  certificate: Buffer.alloc(0),
  privateKey: Buffer.alloc(0),
  password: '',
};
