import { hkdfSync } from 'node:crypto';

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
