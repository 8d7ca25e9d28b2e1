import DataLoader from 'dataloader';
import type { Budget } from '../budgets/budget';
import type { CallerLedger, LedgerEntry, LedgerReader, LedgerView } from './ledger-api';

const maxIds = 1_000;

/** Returns the ledger for one request's caller. One statement reads all entries that are requested in the same turn of the event loop. */
export function createCallerLedger(dependencies: Omit<CallerLedger, 'load' | 'loadBudgets'>): CallerLedger {
  const { reader, budgets, accounts } = dependencies;
  let loader: DataLoader<string, LedgerEntry | null> | null = null;
  let budgetList: Promise<readonly Budget[]> | null = null;
  return {
    ...dependencies,
    load: (view, id) => {
      loader ??= entryLoader(reader, view);
      return loader.load(id);
    },
    loadBudgets: () => {
      budgetList ??= budgets.list(accounts);
      return budgetList;
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
