import DataLoader from 'dataloader';
import type { Problem } from '../../registry/answer/problem';
import type { RequestTrail } from '../audit/audit-record';
import type { Budget } from '../budgets/budget';
import type { BudgetAccounts, LedgerEntry, LedgerReader, LedgerView, RequestLedger } from './port';

/** More ids than this go into several statements. */
const maxIds = 1_000;

interface RequestLedgerParts {
  readonly reader: LedgerReader;
  readonly budgets: BudgetAccounts;
  readonly client: string | null;
  readonly openTrail: () => RequestTrail;
  readonly findAccounts: () => readonly string[];
  readonly verifyAccount: () => Promise<Problem | null>;
  readonly findLinkBase: () => string | null;
}

/** The ledger of one request. Nothing is worked out for the many that never look at it; entities are asked for one by one, and read together. */
export class LedgerOfRequest implements RequestLedger {
  private loader: DataLoader<string, LedgerEntry | null> | null = null;
  private list: Promise<readonly Budget[]> | null = null;

  constructor(private readonly parts: RequestLedgerParts) {}

  get reader(): LedgerReader {
    return this.parts.reader;
  }

  get budgets(): BudgetAccounts {
    return this.parts.budgets;
  }

  get trail(): RequestTrail {
    return this.parts.openTrail();
  }

  get client(): string | null {
    return this.parts.client;
  }

  get accounts(): readonly string[] {
    return this.parts.findAccounts();
  }

  get linkBase(): string | null {
    return this.parts.findLinkBase();
  }

  verifyAccount(): Promise<Problem | null> {
    return this.parts.verifyAccount();
  }

  load(view: LedgerView, id: string): Promise<LedgerEntry | null> {
    this.loader ??= entryLoader(this.reader, view);
    return this.loader.load(id);
  }

  loadBudgets(): Promise<readonly Budget[]> {
    this.list ??= this.budgets.list(this.accounts);
    return this.list;
  }
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
