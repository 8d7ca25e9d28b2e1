import type { Store } from '../../store/store';
import { firstSummedId } from '../sql/sum-functions';
import type { AlertSender } from './alerts';
import { type Budget, type BudgetInput, type BudgetScope, type BudgetTerms, covers } from './budget';
import { deleteBudget, loadBudgets, readBudgets, saveBudget } from './budget-rows';
import type { Calendar } from './period';

export interface GuardOptions {
  readonly store: Store;
  readonly timeZone: string;
  readonly calendar: Calendar;
  readonly alerts: AlertSender;
  readonly now: () => Date;
  /** Whether the store is in memory. Such a store starts empty, so calls do not have to wait until budgets are loaded. */
  readonly isInMemory: boolean;
  /** Writes every entry of this process to the store. */
  readonly flush: () => Promise<void>;
}

const reloadMs = 5_000;

/** Decides which calls must be opened in the store, because a budget limits them. Only the store knows the units left. */
export class BudgetGuard {
  private budgets: readonly BudgetTerms[] = [];
  private startedLoads = 0;
  private newestLoad = 0;
  private timer: NodeJS.Timeout | null = null;
  /** False until this process has reached its store and loaded the budgets. */
  isLoaded: boolean;

  constructor(private readonly options: GuardOptions) {
    this.isLoaded = options.isInMemory;
  }

  /** Loads the budgets. If other processes can change them, they are loaded again every five seconds. */
  async start(): Promise<void> {
    const { store, timeZone, now } = this.options;
    await store.runLong('SELECT ledger_set_time_zone($1, $2)', [timeZone, firstSummedId(now())]);
    await this.load();
    if (store.engine === 'embedded' || this.timer !== null) return;
    this.timer = setInterval(() => void this.load().catch(() => undefined), reloadMs).unref();
  }

  hasBudgetFor(scope: BudgetScope): boolean {
    return this.budgets.some((budget) => covers(budget, scope));
  }

  async list(accounts: readonly string[]): Promise<readonly Budget[]> {
    const { store, calendar, now, flush } = this.options;
    await flush();
    return readBudgets(store, accounts, calendar, now());
  }

  /** Returns null if the ID is not a budget of the account. */
  async set(accounts: readonly string[], input: BudgetInput): Promise<Budget | null> {
    const { isInMemory, store } = this.options;
    // `Ledger.start` does not start the guard of a store in memory.
    if (isInMemory && this.newestLoad === 0) await this.start();
    const saved = await saveBudget(store, accounts, input);
    if (saved === null) return null;
    await this.load();
    return (await this.list(accounts)).find(({ id }) => id === saved.id) ?? null;
  }

  async remove(accounts: readonly string[], id: string): Promise<boolean> {
    const isRemoved = await deleteBudget(this.options.store, accounts, id);
    await this.load();
    return isRemoved;
  }

  async close(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.options.alerts.close();
  }

  private async load(): Promise<void> {
    this.startedLoads += 1;
    const load = this.startedLoads;
    const budgets = await loadBudgets(this.options.store);
    // Loads may end in a different order than they started. A result is ignored if a newer load has already ended.
    if (load < this.newestLoad) return;
    this.newestLoad = load;
    this.budgets = budgets;
    this.isLoaded = true;
    if (budgets.length > 0) this.options.alerts.start();
  }
}
