import { createHmac } from 'node:crypto';
import type { Subject, SubjectKind } from '../registry/endpoint/endpoint';
import type { KeyRing, KeyVersion } from '../store/key-ring';

/** Bytes of a hash that are kept: enough that two people never share one. */
const hashBytes = 16;

/** A blind index: finds people and employers in the ledger without storing their identifiers. */
export class SubjectIndex {
  constructor(private readonly keys: KeyRing) {}

  /** Returns the hash of the newest key, as hexadecimal digits. */
  hash(subject: Subject): string {
    return hashBy(this.keys.newest, subject);
  }

  get keyVersion(): string {
    return this.keys.newest.id;
  }

  /** Returns the values of all keys, because each key was the newest one at some time. */
  hashes(subject: Subject): readonly string[] {
    return this.keys.versions.map((version) => hashBy(version, subject));
  }
}

function hashBy(version: KeyVersion, { kind, value }: Subject): string {
  const text = `${kind}:${normalise(kind, value)}`;
  return createHmac('sha256', version.index)
    .update(text)
    .digest('hex')
    .slice(0, 2 * hashBytes);
}

/** However it is typed, it is the same person. */
function normalise(kind: SubjectKind, value: string): string {
  if (kind === 'name') return value.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().replace(/\s+/gu, ' ').trim();
  const bare = value.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
  return kind === 'licence' || kind === 'nss' ? bare.replace(/^0+(?=.)/, '') : bare;
}
