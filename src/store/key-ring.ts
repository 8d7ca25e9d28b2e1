import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreSettings } from './open-store';
import { UnusableStoreError } from './store';

/** Keys derived from one of the operator's secrets. Each use has its own key, and no key reveals another. */
export interface KeyVersion {
  /** Identifier of the secret. It does not reveal the secret. */
  readonly id: string;
  /** Key that turns accounts into names. */
  readonly account: Buffer;
  /** Key of the blind index of people and employers. */
  readonly index: Buffer;
  readonly wrapping: Buffer;
  /** Key that turns questions into names, for processes that share their answers. */
  readonly questions: Buffer;
  readonly answers: Buffer;
  readonly references: Buffer;
  readonly links: Buffer;
  /** Key of the prices that persons agree to when an agent calls a tool. */
  readonly consent: Buffer;
}

/** Keys of the secrets in `DATA_KEYS`, newest first. padron writes with the newest version and reads with all of them. */
export class KeyRing {
  readonly versions: readonly KeyVersion[];
  readonly newest: KeyVersion;

  constructor(secrets: readonly string[]) {
    const [newest, ...older] = secrets.map(toVersion);
    if (newest === undefined) throw new Error('A key ring needs at least one secret.');
    this.newest = newest;
    this.versions = [newest, ...older];
  }

  find(id: string): KeyVersion | null {
    return this.versions.find((version) => version.id === id) ?? null;
  }
}

function toVersion(secret: string): KeyVersion {
  const derive = (use: string, bytes = 32): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `padron ${use}`, bytes));
  return {
    id: derive('id', 6).toString('base64url'),
    account: derive('account'),
    index: derive('index'),
    wrapping: derive('wrapping'),
    questions: derive('questions'),
    answers: derive('answers'),
    references: derive('references'),
    links: derive('links'),
    consent: derive('consent'),
  };
}

export interface DataKeys {
  readonly ring: KeyRing;
  /** Whether padron generated the keys and stores them in the folder of the data that they encrypt. */
  readonly areBesideData: boolean;
}

/** Derives the keys from the operator's secrets. Without secrets, padron generates one, and stores it in the data folder if there is one. */
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
