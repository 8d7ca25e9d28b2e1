import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KeyRing } from './key-ring';
import type { StoreSettings } from './open-store';

/** Keys of a store. `areBesideData` tells whether padron generated them in the folder of the data that they protect. */
export interface DataKeys {
  readonly ring: KeyRing;
  readonly areBesideData: boolean;
}

/** Derives the keys from the operator's secrets. Without secrets, padron generates one and stores it in the data folder. */
export function readDataKeys(settings: StoreSettings, secrets: readonly string[]): DataKeys {
  if (settings.kind !== 'folder') {
    return { ring: new KeyRing(secrets.length === 0 ? [newSecret()] : secrets), areBesideData: false };
  }
  const file = join(settings.path, 'keys');
  // Data written before the operator set secrets stays readable.
  const kept = existsSync(file) ? readSecrets(file) : [];
  if (secrets.length > 0) return { ring: new KeyRing([...secrets, ...kept]), areBesideData: false };
  return { ring: new KeyRing(kept.length > 0 ? kept : makeSecret(settings.path, file)), areBesideData: true };
}

const newSecret = (): string => randomBytes(32).toString('base64url');

const readSecrets = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** Writes a new secret atomically: a partly written key would be lost, with all the data it encrypted. */
function makeSecret(folder: string, file: string): readonly string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${newSecret()}\n`, { mode: 0o600 });
  try {
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
  return readSecrets(file);
}
