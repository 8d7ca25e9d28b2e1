import DataLoader from 'dataloader';
import type { Budget } from '../budgets/budget';
import type { CallerLedger, LedgerEntry, LedgerReader, LedgerView } from './ledger-api';

/** Maximum number of IDs in one statement. */
const maxIds = 1_000;

/** Returns the ledger for the caller of one request. Entries that are loaded in the same turn are read by one statement. */
export function createCallerLedger(dependencies: Omit<CallerLedger, 'load' | 'loadBudgets'>): CallerLedger {
  const { reader, budgets, accounts } = dependencies;
  let loader: DataLoader<string, LedgerEntry | null> | null = null;
  let list: Promise<readonly Budget[]> | null = null;
  return {
    ...dependencies,
    load: (view, id) => {
      loader ??= entryLoader(reader, view);
      return loader.load(id);
    },
    loadBudgets: () => {
      list ??= budgets.list(accounts);
      return list;
    },
  };
}

function entryLoader(reader: LedgerReader, view: LedgerView): DataLoader<string, LedgerEntry | null> {
  return new DataLoader(
    async (ids) => {
      const found = new Map((await reader.find(view, ids)).map((entry) => [entry.id, entry]));
      return ids.map((id) => found.get(id) ?? null);
    },
    { maxBatchSize: maxIds },
  );
}
