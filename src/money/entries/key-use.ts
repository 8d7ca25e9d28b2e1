import type { KeyRing } from '../../store/key-ring';
import type { Store } from '../../store/store';

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

/**
 * Returns the IDs of keys under which the ledger has links, and that this process lacks: it would not find them. Each step looks up the next
 * key in the index, however many links there are.
 */
export async function findMissingKeys(store: Store, { versions }: KeyRing): Promise<readonly string[]> {
  const missing = await store.query<{ readonly id: string }>(
    `WITH RECURSIVE used AS (
      SELECT min(key_version) AS id FROM ledger_subjects
      UNION ALL SELECT (SELECT min(s.key_version) FROM ledger_subjects s WHERE s.key_version > used.id) FROM used WHERE used.id IS NOT NULL)
    SELECT id FROM used WHERE NOT id = ANY($1)`,
    [versions.map(({ id }) => id)],
  );
  return missing.map(({ id }) => id);
}

/** Deletes the records of keys that were last used before the given time. The entries that were written with them have expired too. */
export async function deleteOldKeyUse(store: Store, before: Date): Promise<void> {
  await store.query('DELETE FROM ledger_keys WHERE used_at < $1', [before]);
}
