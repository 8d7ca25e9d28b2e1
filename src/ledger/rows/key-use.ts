import type { KeyRing } from '../../store/key-ring';
import type { Store } from '../../store/store';

/** Notes with which key this process writes. Gives how many others were written with, and are not on its ring. */
export async function noteKeyUse(store: Store, { newest, versions }: KeyRing): Promise<number> {
  await store.query(
    'INSERT INTO ledger_keys (id, used_at) VALUES ($1, now()) ON CONFLICT (id) DO UPDATE SET used_at = now()',
    [newest.id],
  );
  const [row] = await store.query<{ readonly missing: number }>(
    'SELECT count(*)::int AS missing FROM ledger_keys WHERE NOT id = ANY($1)',
    [versions.map(({ id }) => id)],
  );
  return row?.missing ?? 0;
}

/** A key is wanted as long as entries of its time are kept. */
export async function forgetKeys(store: Store, before: Date): Promise<void> {
  await store.query('DELETE FROM ledger_keys WHERE used_at < $1', [before]);
}
