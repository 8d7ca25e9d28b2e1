import { StatementError, type Store } from '../../store/store';
import type { EntryText } from './journal-recovery';

const closeSql = 'SELECT call_close($1, $2, $3, $4::json)';
const maxRows = 1_000;

/** Destination of closings. Those of one statement are of one account, and of one batch or of none. */
export interface ClosingTarget {
  readonly store: Store;
  readonly processName: string;
  readonly accounts: readonly string[];
  readonly batch: string | null;
}

/**
 * Closes calls in one statement. If the store rejects it, each half is tried separately, so that only the closings at fault are lost.
 * Returns these.
 */
export async function closeTogether<Item>(
  target: ClosingTarget,
  items: readonly Item[],
  toJson: (item: Item) => string,
): Promise<readonly Item[]> {
  if (items.length === 0) return [];
  const { store, processName, accounts, batch } = target;
  try {
    await store.query(closeSql, [processName, accounts, batch, `[${items.map(toJson).join(',\n')}]`]);
    return [];
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
  }
  if (items.length === 1) return items;
  const middle = Math.ceil(items.length / 2);
  const lost = await closeTogether(target, items.slice(0, middle), toJson);
  return [...lost, ...(await closeTogether(target, items.slice(middle), toJson))];
}

/** Writes entries of any accounts, in groups. Writing them again changes nothing. Returns the number that the store rejected. */
export async function insertEntries(
  store: Store,
  processName: string,
  entries: AsyncIterable<EntryText> | Iterable<EntryText>,
): Promise<number> {
  const groups = new Map<string, EntryText[]>();
  let lost = 0;
  const write = async (account: string, group: readonly EntryText[]): Promise<void> => {
    const rejected = await closeTogether({ store, processName, accounts: [account], batch: null }, group, toClosing);
    lost += rejected.length;
  };
  for await (const entry of entries) {
    const group = groups.get(entry.account) ?? [];
    groups.set(entry.account, group);
    group.push(entry);
    if (group.length >= maxRows) await write(entry.account, group.splice(0));
  }
  for (const [account, group] of groups) await write(account, group);
  return lost;
}

const toClosing = ({ id, text }: EntryText): string => `{"id":${JSON.stringify(id)},"entry":${text}}`;
