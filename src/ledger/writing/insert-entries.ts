import { StatementError, type Store } from '../../store/store';

/**
 * Writes entries, given as JSON. Writing them again changes nothing. If the store rejects the statement, each half of the entries is
 * tried separately, so that only the entries at fault are rejected. Returns the number of rejected entries.
 */
export async function insertEntries(store: Store, texts: readonly string[], processName: string): Promise<number> {
  if (texts.length === 0) return 0;
  try {
    await store.query('SELECT ledger_write($1::json, $2)', [`[${texts.join(',\n')}]`, processName]);
    return 0;
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
  }
  if (texts.length === 1) return 1;
  const middle = Math.ceil(texts.length / 2);
  const rejected = await insertEntries(store, texts.slice(0, middle), processName);
  return rejected + (await insertEntries(store, texts.slice(middle), processName));
}
