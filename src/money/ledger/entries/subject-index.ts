import { createHmac } from 'node:crypto';
import type { SubjectKind } from '../../../registry/endpoint/endpoint';
import type { KeyRing, KeyVersion } from '../../../store/key-ring';
import { seal, unseal } from '../../../store/sealed-box';
import type { Store } from '../../../store/store';

/** Number of bytes stored of each hash. With 16 bytes, two people practically never have the same hash. */
const hashBytes = 16;

/**
 * A text by which the ledger finds entries: an identifier, a reference, the `sub` of the person who asked, or their ID, for their answers. A
 * person is a random text: that of the entries of one request about one person whose identifiers no answer has connected.
 */
export interface IndexedText {
  readonly kind: SubjectKind | 'actor' | 'reference' | 'answer' | 'person';
  readonly value: string;
}

/** A link of an entry. That of a reference also has the encrypted reference as base64, and that of an answer its SHA-256. */
export type EntryLink = readonly [kind: string, hash: string, keyVersion: string, sealed?: string];

/** A blind index: finds people and employers in the ledger without storing their identifiers. */
export class SubjectIndex {
  constructor(private readonly keys: KeyRing) {}

  hash(text: IndexedText): string {
    return hashUnder(this.keys.newest, text);
  }

  /** Returns the links of an entry. The reference can only be decrypted for this entry. */
  linksOf(entry: string, subjects: readonly IndexedText[], reference: string | null): readonly EntryLink[] {
    const { id, references } = this.keys.newest;
    const links = subjects.map((subject): EntryLink => [subject.kind, this.hash(subject), id]);
    if (reference === null) return links;
    const sealed = seal(references, entry, Buffer.from(reference)).toString('base64');
    return [...links, ['reference', this.hash({ kind: 'reference', value: reference }), id, sealed]];
  }

  /**
   * Returns the entry with a link that holds the SHA-256 of its answer, which is deleted with the other links. The hash is encrypted, because
   * beside the validation code it would let anyone try all identifiers.
   */
  withAnswer<Entry extends { readonly id: string; readonly subjects: readonly EntryLink[] }>(
    entry: Entry,
    sha256?: string,
  ): Entry {
    const { id, subjects } = entry;
    if (sha256 === undefined || subjects.every(([kind]) => kind === 'reference')) return entry;
    const { id: key, references } = this.keys.newest;
    const sealed = seal(references, `${id} answer`, Buffer.from(sha256)).toString('base64');
    return { ...entry, subjects: [...subjects, ['answer', this.hash({ kind: 'answer', value: id }), key, sealed]] };
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

  /**
   * Returns the IDs of keys under which a table has links, and that this process lacks: it would not find them. Each step looks up the
   * next key in the index, however many links there are.
   */
  async missingKeys(store: Store, table: 'ledger_subjects' | 'ledger_blocked'): Promise<readonly string[]> {
    const missing = await store.query<{ readonly id: string }>(
      `WITH RECURSIVE used AS (
        SELECT min(key_version) AS id FROM ${table}
        UNION ALL SELECT (SELECT min(s.key_version) FROM ${table} s WHERE s.key_version > used.id) FROM used WHERE used.id IS NOT NULL)
      SELECT id FROM used WHERE NOT id = ANY($1)`,
      [this.keys.versions.map(({ id }) => id)],
    );
    return missing.map(({ id }) => id);
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

/** The IDs of the keys that entries were written with. */
export const usedKeysSql = 'SELECT id FROM ledger_keys';

/** Records that this process uses its keys. Returns the IDs of keys that stored data was written with and that this process lacks. */
export async function recordKeyUse(store: Store, { newest, versions }: KeyRing): Promise<readonly string[]> {
  await store.query('INSERT INTO ledger_keys (id, used_at) VALUES ($1, now()) ON CONFLICT DO NOTHING', [newest.id]);
  const ring = versions.map(({ id }) => id);
  // Another process may still write with an older key, until it is restarted.
  await store.query('UPDATE ledger_keys SET used_at = now() WHERE id = ANY($1)', [ring]);
  const missing = await store.query<{ readonly id: string }>(`${usedKeysSql} WHERE NOT id = ANY($1) ORDER BY id`, [
    ring,
  ]);
  return missing.map(({ id }) => id);
}
