import type { Store } from '../../store/store';
import type { BudgetTerms } from './budget';
import type { Calendar } from './period';
import { reckonPeriod } from './slice-rows';

export interface ReckonerOptions {
  readonly store: Store;
  readonly calendar: Calendar;
  readonly now: () => Date;
  /** Everything entered here, in the store. */
  readonly flush: () => Promise<void>;
}

/** At once, and when what was under way has been entered by all processes. */
const afterMs = [0, 10_000, 60_000, 300_000];

/**
 * Counts calls in budgets that were not bounded by them: those of a process that did not know of a budget yet, because it was set by
 * another one a moment ago, or because the store was away when it started.
 */
export class Reckoner {
  private due: readonly number[] = [];

  constructor(private readonly options: ReckonerOptions) {}

  get isDue(): boolean {
    return this.due.some((due) => due <= performance.now());
  }

  /** Some calls may have left unbounded, and some of them may still be under way. */
  plan(): void {
    const now = performance.now();
    this.due = afterMs.map((ms) => now + ms);
  }

  /** What is due; again at the next call where it fails. */
  async run(budgets: readonly BudgetTerms[]): Promise<void> {
    if (!this.isDue) return;
    const moment = performance.now();
    const later = this.due.filter((due) => due > moment);
    const { store, calendar, now, flush } = this.options;
    await flush();
    for (const { id, period } of budgets) await reckonPeriod(store, id, calendar.periodOf(period, now()));
    this.due = later;
  }
}
