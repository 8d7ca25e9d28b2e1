import DataLoader from 'dataloader';
import type { Budget } from '../budgets/budget';
import type { LedgerEntry, LedgerReader, LedgerView, RequestLedger } from './port';

/** More ids than this go into several statements. */
const maxIds = 1_000;

/** Returns the ledger of one request. Entities are asked for one by one, and read together. */
export function openRequestLedger(parts: Omit<RequestLedger, 'load' | 'loadBudgets'>): RequestLedger {
  const { reader, budgets, accounts } = parts;
  let loader: DataLoader<string, LedgerEntry | null> | null = null;
  let list: Promise<readonly Budget[]> | null = null;
  return {
    ...parts,
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
