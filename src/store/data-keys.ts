import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KeyRing } from './key-ring';
import type { StoreSettings } from './open-store';

/** The keys of a store, and whether they had to be made beside the data that they guard. */
export interface DataKeys {
  readonly ring: KeyRing;
  readonly areBesideData: boolean;
}

/** By the operator's secrets; without them by one that is made once and kept beside the data. */
export function readDataKeys(settings: StoreSettings, secrets: readonly string[]): DataKeys {
  if (settings.kind !== 'folder') {
    return { ring: new KeyRing(secrets.length === 0 ? [newSecret()] : secrets), areBesideData: false };
  }
  const file = join(settings.path, 'keys');
  // What was written before the operator gave secrets stays readable.
  const kept = existsSync(file) ? readSecrets(file) : [];
  if (secrets.length > 0) return { ring: new KeyRing([...secrets, ...kept]), areBesideData: false };
  return { ring: new KeyRing(kept.length > 0 ? kept : makeSecret(settings.path, file)), areBesideData: true };
}

const newSecret = (): string => randomBytes(32).toString('base64url');

const readSecrets = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** Whole or not at all: a key that is half written would be lost with all that it was used for. */
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
