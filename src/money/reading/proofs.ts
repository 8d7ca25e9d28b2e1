import type { Subject } from '../../registry/endpoint/endpoint';
import type { Store } from '../../store/store';
import { answerOf, type SubjectIndex } from '../entries/subject-index';
import type { LedgerEntry } from './ledger-api';

/** An entry, and which of the caller's identifiers it is linked to. */
export interface Proof extends LedgerEntry {
  readonly subjects: readonly Subject[];
  /** SHA-256 of the answer as it was received. Null if none was received, or if the entry is older than these hashes. */
  readonly sha256: string | null;
}

interface LinkRow {
  readonly id: string;
  readonly kind: string;
  readonly hash: string;
  readonly keyVersion: string;
  readonly sealed: string | null;
}

const linksSql = `SELECT s.entry_id AS id, s.kind, encode(s.hash, 'hex') AS hash, s.key_version AS "keyVersion", encode(s.sealed, 'hex') AS sealed
  FROM ledger_subjects s WHERE s.entry_id = ANY($1) AND s.kind <> 'reference'`;

/** Adds to entries what their links prove. */
export async function toProofs(
  store: Store,
  index: Pick<SubjectIndex, 'hashes' | 'openReference'>,
  entries: readonly LedgerEntry[],
  subjects: readonly Subject[],
): Promise<readonly Proof[]> {
  const links = await store.read<LinkRow>(linksSql, [entries.map(({ id }) => id)]);
  const hashed = subjects.map((subject) => ({ subject, hashes: index.hashes(subject) }));
  return entries.map((entry) => {
    const own = links.filter(({ id }) => id === entry.id);
    const answer = own.find(({ kind }) => kind === 'answer');
    return {
      ...entry,
      subjects: hashed
        .filter(({ subject, hashes }) => own.some(({ kind, hash }) => kind === subject.kind && hashes.includes(hash)))
        .map(({ subject }) => subject),
      sha256: answer?.sealed ? index.openReference(answerOf(entry.id), answer.keyVersion, Buffer.from(answer.sealed, 'hex')) : null,
    };
  });
}
