import { hkdfSync } from 'node:crypto';

/** What one of the operator's secrets gives: a key for each use, so that none can be learnt from another. */
export interface KeyVersion {
  /** Says which secret it was, and nothing of it. */
  readonly id: string;
  /** Names accounts. */
  readonly account: Buffer;
  /** The blind index of people and employers. */
  readonly index: Buffer;
  /** Seals other keys. */
  readonly wrapping: Buffer;
  /** Seals links. */
  readonly links: Buffer;
  /** Signs alerts; their receiver has it too. */
  readonly alerts: Buffer;
}

/** The keys of the secrets in `DATA_KEYS`, the newest first: what is written is written with that, what is looked for with all. */
export class KeyRing {
  readonly versions: readonly KeyVersion[];
  readonly newest: KeyVersion;

  constructor(secrets: readonly string[]) {
    const [newest, ...older] = secrets.map(toVersion);
    if (newest === undefined) throw new Error('A key ring needs a secret.');
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
    links: derive('links'),
    alerts: derive('alerts'),
  };
}
