import type { KeyRing } from '../../store/key-ring';
import type { Store } from '../../store/store';

/** Notes with which key this process writes. Gives the marks of those that others wrote with, and that are not on its ring. */
export async function noteKeyUse(store: Store, { newest, versions }: KeyRing): Promise<readonly string[]> {
  await store.query('INSERT INTO ledger_keys (id, used_at) VALUES ($1, now()) ON CONFLICT DO NOTHING', [newest.id]);
  const ring = versions.map(({ id }) => id);
  // Another process may have written with an older key until it was restarted.
  await store.query('UPDATE ledger_keys SET used_at = now() WHERE id = ANY($1)', [ring]);
  const missing = await store.query<{ readonly id: string }>(
    'SELECT id FROM ledger_keys WHERE NOT id = ANY($1) ORDER BY id',
    [ring],
  );
  return missing.map(({ id }) => id);
}

/** A key is wanted as long as entries of its time are kept. */
export async function forgetKeys(store: Store, before: Date): Promise<void> {
  await store.query('DELETE FROM ledger_keys WHERE used_at < $1', [before]);
}
