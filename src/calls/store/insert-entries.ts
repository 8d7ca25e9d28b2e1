import { StatementError, type Store } from '../../store/store';
import type { EntryText } from './journal-recovery';

export const closeSql = 'SELECT call_close($1, $2, $3, $4::json)';

const maxRows = 1_000;

/** Writes entries of any accounts, in groups. Writing them again changes nothing. Returns the number that the store rejected. */
export async function insertEntries(
  store: Store,
  processName: string,
  entries: AsyncIterable<EntryText> | Iterable<EntryText>,
): Promise<number> {
  const groups = new Map<string, string[]>();
  let lost = 0;
  const write = async (account: string, texts: readonly string[]): Promise<void> => {
    if (texts.length === 0) return;
    try {
      await store.query(closeSql, [processName, [account], null, `[${texts.join(',\n')}]`]);
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
      if (texts.length === 1) {
        lost += 1;
        return;
      }
      const middle = Math.ceil(texts.length / 2);
      await write(account, texts.slice(0, middle));
      await write(account, texts.slice(middle));
    }
  };
  for await (const { id, account, text } of entries) {
    const group = groups.get(account) ?? [];
    groups.set(account, group);
    group.push(`{"id":${JSON.stringify(id)},"entry":${text}}`);
    if (group.length >= maxRows) await write(account, group.splice(0));
  }
  for (const [account, group] of groups) await write(account, group);
  return lost;
}
