import type { Store } from '../../store/store';
import type { BatchOwner } from '../batch';

/** Condition for a batch that received no rows in time. It no longer exists for callers, and the next purge erases it. */
export const isAbandoned = "(state = 'WAITING_FOR_ROWS' AND waits_until < now())";

/** Lets a batch that has no rows wait for them for another hour. Does nothing if it has its rows. */
export async function keepWaiting(store: Store, id: string): Promise<void> {
  await store.query(
    `UPDATE batch SET waits_until = now() + interval '1 hour' WHERE id = $1 AND state = 'WAITING_FOR_ROWS'`,
    [id],
  );
}

/** Releases the key of an abandoned batch, so that a new batch can have it. */
export async function releaseKey(
  store: Store,
  { account, owner }: Pick<BatchOwner, 'account' | 'owner'>,
  keyName: string | null,
): Promise<void> {
  if (keyName === null) return;
  await store.query(
    `UPDATE batch SET key_name = NULL WHERE account = $1 AND owner = $2 AND key_name = $3 AND ${isAbandoned}`,
    [account, owner, keyName],
  );
}
