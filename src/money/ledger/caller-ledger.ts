import DataLoader from 'dataloader';
import type { Problem } from '../../registry/answer/problem';
import type { CallerTrail } from './audit/audit-record';
import type { Budget, StoredBudgets } from './budgets/stored-budgets';
import type { LedgerEntry, LedgerView } from './entries/ledger-api';
import type { EventStore } from './events/event-store';
import type { LedgerReader } from './reading/ledger-reader';

export interface CallerLedger {
  readonly reader: LedgerReader;
  readonly budgets: StoredBudgets;
  /** The events. Null without a receiver: padron then only logs them. */
  readonly events: EventStore | null;
  readonly trail: CallerTrail;
  readonly accounts: readonly string[];
  /** The client that the caller's JWT names. Null without a JWT, or if the JWT names no client. */
  readonly client: string | null;
  /** Address that links to padron begin with. Null if it is unknown. */
  readonly linkBase: string | null;
  /**
   * Checks the caller's token with the service. Returns null if the service accepts it, or a problem if the check is not possible now.
   * Throws if the service rejects the token.
   */
  verifyAccount(): Promise<Problem | null>;
  /**
   * Returns an entry, or null if it does not exist or is not visible. Entries that are requested in the same
   * turn of the event loop are read together. Every call of one request passes the same view.
   */
  load(view: LedgerView, id: string): Promise<LedgerEntry | null>;
  loadBudgets(): Promise<readonly Budget[]>;
}

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
