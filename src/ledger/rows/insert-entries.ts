import { StatementError, type Store } from '../../store/store';

/**
 * Writes entries, given as JSON. Writing them again changes nothing. Returns how many the store refuses: one of them must not hold up
 * the others for ever.
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
  const refused = await insertEntries(store, texts.slice(0, middle), processName);
  return refused + (await insertEntries(store, texts.slice(middle), processName));
}
