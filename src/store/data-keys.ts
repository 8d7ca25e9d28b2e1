import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KeyRing } from './key-ring';
import type { StoreSettings } from './open-store';
import { UnusableStoreError } from './store';

export interface DataKeys {
  readonly ring: KeyRing;
  /** Whether padron generated the keys and stores them in the folder of the data that they encrypt. */
  readonly areBesideData: boolean;
}

/** Derives the keys from the operator's secrets. Without secrets, padron generates one and stores it in the data folder. */
export function readDataKeys(settings: StoreSettings, secrets: readonly string[]): DataKeys {
  if (settings.kind !== 'folder') {
    return { ring: new KeyRing(secrets.length === 0 ? [newSecret()] : secrets), areBesideData: false };
  }
  const file = join(settings.path, 'keys');
  // Data that was written before the operator set secrets stays readable.
  const generated = existsSync(file) ? readSecrets(file) : [];
  if (secrets.length > 0) return { ring: new KeyRing([...secrets, ...generated]), areBesideData: false };
  return {
    ring: new KeyRing(generated.length > 0 ? generated : createSecretFile(settings.path, file)),
    areBesideData: true,
  };
}

const newSecret = (): string => randomBytes(32).toString('base64url');

/** Minimum characters of a secret. A generated one has more, so a shorter one is the rest of a damaged file. */
const minLength = 32;

function readSecrets(file: string): readonly string[] {
  const secrets = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  if (secrets.length === 0 || secrets.some((secret) => secret.trim().length < minLength))
    throw new UnusableStoreError(
      `${file} is damaged. Restore it from a backup: without its keys, the data in this folder cannot be read.`,
    );
  return secrets;
}

/** Writes a new secret and returns the secrets of the file. The file is created atomically, because a partly written key would make data unreadable. */
function createSecretFile(folder: string, file: string): readonly string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${newSecret()}\n`, { mode: 0o600 });
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readSecrets(file);
}
