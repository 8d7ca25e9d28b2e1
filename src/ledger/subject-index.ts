import { createHmac } from 'node:crypto';
import type { SubjectKind } from '../registry/endpoint/endpoint';
import type { KeyRing, KeyVersion } from '../store/key-ring';

/** Number of bytes stored of each hash. With 16 bytes, two people practically never have the same hash. */
const hashBytes = 16;

/** A text by which the ledger finds entries: an identifier, or the `sub` of the person who asked. */
export interface IndexedText {
  readonly kind: SubjectKind | 'actor';
  readonly value: string;
}

/** A blind index: finds people and employers in the ledger without storing their identifiers. */
export class SubjectIndex {
  constructor(private readonly keys: KeyRing) {}

  hash(text: IndexedText): string {
    return hashUnder(this.keys.newest, text);
  }

  get keyVersion(): string {
    return this.keys.newest.id;
  }

  /** Returns the hashes of a text under all keys, because an entry may have been written with any of them. */
  hashes(text: IndexedText): readonly string[] {
    return this.keys.versions.map((version) => hashUnder(version, text));
  }
}

function hashUnder(version: KeyVersion, { kind, value }: IndexedText): string {
  const text = `${kind}:${normalise(kind, value)}`;
  return createHmac('sha256', version.index)
    .update(text)
    .digest('hex')
    .slice(0, 2 * hashBytes);
}

/** Removes differences in spelling, so that every spelling of an identifier has the same hash. */
function normalise(kind: IndexedText['kind'], value: string): string {
  if (kind === 'actor') return value;
  if (kind === 'name') return value.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().replace(/\s+/gu, ' ').trim();
  const bare = value.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
  return kind === 'licence' || kind === 'nss' ? bare.replace(/^0+(?=.)/, '') : bare;
}
