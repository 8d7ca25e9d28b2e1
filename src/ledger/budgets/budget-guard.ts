import { type Problem, problem } from '../../registry/answer/problem';
import { type Store, StoreUnavailableError } from '../../store/store';
import type { AlertSender } from './alerts';
import { type Budget, type BudgetInput, type BudgetScope, type BudgetTerms, covers } from './budget';
import { deleteBudget, loadBudgets, saveBudget, sumBudgets } from './budget-rows';
import { exhausted } from './exhausted';
import type { Calendar } from './period';
import type { RememberedBudgets } from './remembered-budgets';
import { type Reservation, tryReserve } from './reservation';
import { Slice } from './slice';
import { reconcileSlices } from './slice-rows';
import { UnboundedCalls } from './unbounded-calls';

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
  /** False: the store is away since the start, and others may have changed what is remembered. */
  private areKnown = true;
  private loads = 0;
  private lastLoad = 0;
  private readonly unbounded = new UnboundedCalls();
  private countedSlices: readonly Slice[] = [];
  private readonly slices = new Map<string, Slice>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly options: GuardOptions) {}

  /** Whether a call may be bounded, now or as soon as the budgets are known. */
  get mayBound(): boolean {
    return this.budgets.length > 0 || !this.areKnown;
  }

  /** What was left by processes that have ended is everybody's; from now on this one keeps up with the others. */
  async start(endedProcesses: readonly string[]): Promise<void> {
    await this.load();
    await reconcileSlices(this.options.store, endedProcesses, maxIdleMinutes);
    // Before an entry of this process is in the store: what a new period begins with is taken from there.
    for (const slice of this.countedSlices) await slice.open();
    this.countedSlices = [];
    this.keepUp();
  }

  /** Null where no budget bounds it; at once where this process has enough of each. */
  reserve(scope: BudgetScope, price: number, moment: Date): Reservation | null | Promise<Reservation | Problem> {
    if (price === 0) return null;
    const slices = this.slicesOf(scope, moment);
    if (slices.length === 0) return this.areKnown ? null : this.unbounded.record(scope, price, moment);
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
      // Another look has succeeded meanwhile.
      if (this.lastLoad > 0) return;
      this.budgets = this.options.remembered?.read() ?? [];
      this.areKnown = false;
    });
  }

  private async load(): Promise<void> {
    this.loads += 1;
    const turn = this.loads;
    const budgets = await loadBudgets(this.options.store);
    // What was asked for later is newer, and has come already.
    if (turn < this.lastLoad) return;
    this.lastLoad = turn;
    this.budgets = budgets;
    this.options.remembered?.write(this.budgets);
    const byId = new Map(this.budgets.map((budget) => [budget.id, budget]));
    for (const slice of this.slices.values()) slice.terms = byId.get(slice.terms.id) ?? slice.terms;
    if (!this.areKnown) this.countedSlices = this.unbounded.countIn((scope, moment) => this.slicesOf(scope, moment));
    this.areKnown = true;
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
      if (!this.areKnown) await this.load();
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
