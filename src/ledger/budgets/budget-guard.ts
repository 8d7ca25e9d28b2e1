import { type Problem, problem } from '../../registry/answer/problem';
import { type Store, StoreUnavailableError } from '../../store/store';
import type { AlertSender } from './alerts';
import { type Budget, type BudgetInput, type BudgetScope, type BudgetTerms, covers } from './budget';
import { deleteBudget, loadBudgets, saveBudget, sumBudgets } from './budget-rows';
import { exhausted } from './exhausted';
import type { Calendar } from './period';
import { Reckoner } from './reckoner';
import type { RememberedBudgets } from './remembered-budgets';
import { type Reservation, tryReserve } from './reservation';
import { Slice } from './slice';
import { reconcileSlices } from './slice-rows';

export interface GuardOptions {
  readonly store: Store;
  readonly processName: string;
  readonly calendar: Calendar;
  readonly alerts: AlertSender;
  readonly now: () => Date;
  /** Whether others may set budgets and hold slices. */
  readonly isShared: boolean;
  /** Null where nothing outlives the process. */
  readonly remembered: RememberedBudgets | null;
  /** Everything entered here, in the store. */
  readonly flush: () => Promise<void>;
}

const upkeepMs = 5_000;
const maxIdleMinutes = 60;
const retryAfterSeconds = 5;

/** Keeps calls within the budgets over time, exactly, however many processes there are. */
export class BudgetGuard {
  private budgets: readonly BudgetTerms[] = [];
  /** Of the last time: others may have changed them since. */
  private areRemembered = false;
  private readonly slices = new Map<string, Slice>();
  private timer: NodeJS.Timeout | null = null;

  private readonly reckoner: Reckoner;
  /** Calls may be under way. */
  private isServing = false;

  constructor(private readonly options: GuardOptions) {
    this.reckoner = new Reckoner(options);
  }

  get hasBudgets(): boolean {
    return this.budgets.length > 0;
  }

  /** What was left by processes that have ended is everybody's; from now on this one keeps up with the others. */
  async start(endedProcesses: readonly string[]): Promise<void> {
    await this.load();
    await reconcileSlices(this.options.store, endedProcesses, maxIdleMinutes);
    if (endedProcesses.length > 0) this.reckoner.plan();
    this.keepUp();
    // Not awaited: it waits for the entries of this process, which are brought in after this.
    if (this.reckoner.isDue) void this.upkeep().catch(() => undefined);
  }

  /** Null where no budget bounds it; at once where this process has enough of each. */
  reserve(scope: BudgetScope, price: number, moment: Date): Reservation | null | Promise<Reservation | Problem> {
    if (this.budgets.length === 0 || price === 0) return null;
    const slices = this.slicesOf(scope, moment);
    if (slices.length === 0) return null;
    return tryReserve(slices, price, this.options.alerts) ?? this.reserveSlowly(scope, price, moment);
  }

  async list(accounts: readonly string[]): Promise<readonly Budget[]> {
    const { store, calendar, now, flush } = this.options;
    await flush();
    return sumBudgets(store, accounts, calendar, now());
  }

  async set(accounts: readonly string[], input: BudgetInput): Promise<Budget | null> {
    const { store, flush } = this.options;
    // What it has spent already is taken from the entries.
    await flush();
    const saved = await saveBudget(store, accounts, input);
    if (saved === null) return null;
    await this.load();
    this.keepUp();
    return (await this.list(accounts)).find(({ id }) => id === saved.id) ?? null;
  }

  async remove(accounts: readonly string[], id: string): Promise<boolean> {
    const isRemoved = await deleteBudget(this.options.store, accounts, id);
    await this.load();
    return isRemoved;
  }

  /** Gives back what this process holds. */
  async close(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await Promise.all([...this.slices.values()].map((slice) => slice.release(true).catch(() => undefined)));
    await this.options.alerts.close();
  }

  /** Where the store is away, those of the last time hold until it is back. */
  async loadOrRemember(): Promise<void> {
    await this.load().catch(() => {
      this.budgets = this.options.remembered?.read() ?? [];
      this.areRemembered = true;
    });
    this.isServing = true;
  }

  private async load(): Promise<void> {
    const knownIds = new Set(this.budgets.map(({ id }) => id));
    this.budgets = await loadBudgets(this.options.store);
    this.areRemembered = false;
    if (this.isServing && this.budgets.some(({ id }) => !knownIds.has(id))) this.reckoner.plan();
    this.options.remembered?.write(this.budgets);
    const byId = new Map(this.budgets.map((budget) => [budget.id, budget]));
    for (const slice of this.slices.values()) slice.terms = byId.get(slice.terms.id) ?? slice.terms;
  }

  private keepUp(): void {
    if (this.timer !== null || (!this.options.isShared && this.budgets.length === 0)) return;
    this.timer = setInterval(() => void this.upkeep().catch(() => undefined), upkeepMs);
    this.timer.unref();
  }

  private async upkeep(): Promise<void> {
    const { store, isShared, alerts, now } = this.options;
    if (isShared) await this.load();
    for (const [key, slice] of this.slices) {
      const isOver = slice.period.endsAt <= now();
      if (isShared || isOver) await slice.release(isOver);
      if (isOver && slice.isIdle) this.slices.delete(key);
    }
    if (this.budgets.length === 0) return;
    await reconcileSlices(store, [], maxIdleMinutes);
    await this.reckoner.run(this.budgets);
    await alerts.sendAgain(this.budgets);
  }

  private slicesOf(scope: BudgetScope, moment: Date): readonly Slice[] {
    const budgets = this.budgets.filter((budget) => covers(budget, scope));
    return budgets.map((budget) => this.sliceOf(budget, scope, moment));
  }

  private sliceOf(terms: BudgetTerms, { accounts }: BudgetScope, moment: Date): Slice {
    const { store, processName, calendar } = this.options;
    const period = calendar.periodOf(terms.period, moment);
    const name = `${terms.id} ${terms.period} ${period.startsAt.getTime()}`;
    const existing = this.slices.get(name);
    if (existing !== undefined) return existing;
    const slice = new Slice(store, { budgetId: terms.id, period, process: processName, accounts }, terms, moment);
    this.slices.set(name, slice);
    return slice;
  }

  private async reserveSlowly(scope: BudgetScope, price: number, moment: Date): Promise<Reservation | Problem> {
    try {
      if (this.areRemembered) await this.load();
      for (;;) {
        const slices = this.slicesOf(scope, moment);
        const reservation = tryReserve(slices, price, this.options.alerts);
        if (reservation !== null) return reservation;
        for (const slice of slices) {
          const refused = slice.has(price) ? null : await this.refill(slice, price);
          if (refused !== null) return refused;
        }
      }
    } catch (error) {
      // A ceiling that cannot be looked up is no ceiling: the call does not leave.
      if (error instanceof StoreUnavailableError)
        return problem('LEDGER_UNAVAILABLE', { retryAfter: retryAfterSeconds });
      throw error;
    }
  }

  /** Null: there is more now, or the budget is no more. */
  private async refill(slice: Slice, price: number): Promise<Problem | null> {
    const denial = await slice.refill(price);
    if (denial === null) return null;
    if (denial.left === null) {
      await this.load();
      return null;
    }
    this.options.alerts.check(slice);
    return exhausted(slice.terms, slice.period, price, Math.max(0, denial.left), this.options.now());
  }
}
