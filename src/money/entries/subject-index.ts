import { createHmac } from 'node:crypto';
import type { Subject, SubjectKind } from '../../registry/endpoint/endpoint';
import type { KeyRing, KeyVersion } from '../../store/key-ring';
import { seal, unseal } from '../../store/sealed-box';

/** Number of bytes stored of each hash. With 16 bytes, two people practically never have the same hash. */
const hashBytes = 16;

/** A text by which the ledger finds entries: an identifier, a reference, or the `sub` of the person who asked. */
export interface IndexedText {
  readonly kind: SubjectKind | 'actor' | 'reference';
  readonly value: string;
}

/** A link of an entry. That of a reference also has the encrypted reference, as base64. */
export type EntryLink = readonly [kind: string, hash: string, keyVersion: string, sealed?: string];

/** A blind index: finds people and employers in the ledger without storing their identifiers. */
export class SubjectIndex {
  constructor(private readonly keys: KeyRing) {}

  hash(text: IndexedText): string {
    return hashUnder(this.keys.newest, text);
  }

  /** Returns the links of an entry. The reference can only be decrypted for this entry. */
  linksOf(entry: string, subjects: readonly Subject[], reference: string | null): readonly EntryLink[] {
    const { id, references } = this.keys.newest;
    const links = subjects.map((subject): EntryLink => [subject.kind, this.hash(subject), id]);
    if (reference === null) return links;
    const sealed = seal(references, entry, Buffer.from(reference)).toString('base64');
    return [...links, ['reference', this.hash({ kind: 'reference', value: reference }), id, sealed]];
  }

  /** Decrypts a reference of an entry. Returns null if `DATA_KEYS` no longer has its key. */
  openReference(entry: string, keyVersion: string, sealed: Buffer): string | null {
    const version = this.keys.find(keyVersion);
    return version === null ? null : (unseal(version.references, entry, sealed)?.toString() ?? null);
  }

  /** Returns the hashes of a text under all keys, old and new. */
  hashes(text: IndexedText): readonly string[] {
    return this.keys.versions.map((version) => hashUnder(version, text));
  }
}

function hashUnder(version: KeyVersion, text: IndexedText): string {
  return createHmac('sha256', version.index)
    .update(`${text.kind}:${normalise(text)}`)
    .digest('hex')
    .slice(0, 2 * hashBytes);
}

/** Removes differences in spelling, so that every spelling of an identifier has the same hash. */
function normalise({ kind, value }: IndexedText): string {
  // An actor is the `sub` of a JWT: texts that differ in case are two people, except addresses. An ID such as `auth0|a@b.mx` is not an address.
  if (kind === 'reference' || (kind === 'actor' && /^[^\s@|:]+@[^\s@]+$/.test(value))) return value.toLowerCase();
  if (kind === 'actor') return value;
  if (kind === 'name') return value.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().replace(/\s+/gu, ' ').trim();
  const bare = value.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
  return kind === 'licence' || kind === 'nss' ? bare.replace(/^0+(?=.)/, '') : bare;
}
