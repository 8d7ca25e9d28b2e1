import type { Store } from '../../store/store';
import type { BudgetTerms } from './budget';
import type { Period } from './period';
import { grantUnits, keepUnits, leftOf, openPeriod, openSlice, type SliceKey } from './slice-rows';

/** A fiftieth of a budget at once: large enough to ask seldom, small enough that several processes get theirs. */
const sliceShare = 50;
const maxSlice = 200;
/** What was not heard of for so long may have been given to others by now. */
const maxSilenceMs = 30 * 60_000;

/** Why nothing is granted: what is left for everybody; null where the budget is no more. */
export interface Denial {
  readonly left: number | null;
}

/** What this process may take of a budget's period without asking anybody. */
export class Slice {
  private available = 0;
  private reserved = 0;
  private committed = 0;
  /** What all processes have, as far as is known here. */
  private total = 0;
  private opening: Promise<void> | null = null;
  private releasing: Promise<void> | null = null;
  private isOpened = false;
  private isUsed = false;
  /** Percentages that were told here. */
  private readonly crossed = new Set<number>();
  private asking: Promise<Denial | null> | null = null;
  private heardAt = performance.now();

  constructor(
    private readonly store: Store,
    private readonly key: SliceKey,
    /** May be set anew. */
    public terms: BudgetTerms,
    /** Of the first call that it bounds: what is entered from then on counts in it. */
    private readonly since: Date,
  ) {}

  get period(): Period {
    return this.key.period;
  }

  /** What is spent or may be, as far as is known here: others' slices count in full. */
  get spent(): number {
    return this.total - this.available;
  }

  /** Whether nothing is under way that counts in it. */
  get isIdle(): boolean {
    return this.reserved === 0 && this.asking === null;
  }

  /** What it holds, and has used of it. */
  private get units(): number {
    return this.committed + this.reserved + this.available;
  }

  has(price: number): boolean {
    return this.available >= price && performance.now() - this.heardAt <= maxSilenceMs;
  }

  tryReserve(price: number): boolean {
    this.isUsed = true;
    if (!this.has(price)) return false;
    this.available -= price;
    this.reserved += price;
    return true;
  }

  /** What left before the budget was known: what it came to, and the price of what is still under way. */
  count(spent: number, underWay: number): void {
    this.committed += spent;
    this.reserved += underWay;
  }

  /** Says what was counted so far, before anything is taken. Once; again where it failed. */
  open(): Promise<void> {
    this.opening ??= this.openOnce().catch((error: unknown) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  /** What was set aside, and what the call came to. */
  settle(price: number, units: number): void {
    this.reserved -= price;
    this.committed += units;
    this.available += price - units;
  }

  /** As `settle`, of a call that was counted: what it did not take is nobody's before the store has it back. */
  settleCounted(price: number, units: number): void {
    this.reserved -= price;
    this.committed += units;
  }

  /** The percentages that were reached since this was asked last. */
  takeCrossed(): readonly number[] {
    const { units, alertsAt } = this.terms;
    const reached = alertsAt.filter((percent) => !this.crossed.has(percent) && this.spent * 100 >= percent * units);
    for (const percent of reached) this.crossed.add(percent);
    return reached;
  }

  /** Asks for more. Those who need some at once ask once. Null: there is more now. */
  refill(price: number): Promise<Denial | null> {
    this.asking ??= this.ask(price).finally(() => {
      this.asking = null;
    });
    return this.asking;
  }

  /** Gives back what was not used since the last time; `isOver`: all of it. */
  async release(isOver: boolean): Promise<void> {
    if (!this.isOpened || this.asking !== null) return;
    const keeps = this.isUsed && !isOver;
    this.isUsed = false;
    // Taken out at once: nobody may spend it while it is being given back.
    const returned = keeps ? 0 : this.available;
    this.available -= returned;
    // Whoever asks for more waits for it: said later, it would take away what was given meanwhile.
    this.releasing = keepUnits(this.store, this.key, this.units);
    await this.releasing.finally(() => {
      this.releasing = null;
    });
    this.total -= returned;
    this.heardAt = performance.now();
  }

  private async openOnce(): Promise<void> {
    await openPeriod(this.store, this.key);
    if (this.units > 0) {
      await openSlice(this.store, this.key, this.since);
      await keepUnits(this.store, this.key, this.units);
    }
    this.isOpened = true;
  }

  private async ask(price: number): Promise<Denial | null> {
    await this.open();
    await this.releasing?.catch(() => undefined);
    // After a long silence it is said first what is needed: the rest may be others'.
    if (performance.now() - this.heardAt > maxSilenceMs) {
      this.available = 0;
      await keepUnits(this.store, this.key, this.committed + this.reserved);
    }
    const share = Math.min(maxSlice, Math.floor(this.terms.units / sliceShare));
    const grant = await grantUnits(this.store, this.key, price, Math.max(share, price), this.since);
    this.heardAt = performance.now();
    if (grant === null) return this.explainDenial();
    this.available += grant.units;
    this.total = grant.total;
    return null;
  }

  private async explainDenial(): Promise<Denial> {
    const left = await leftOf(this.store, this.key);
    if (left !== null) this.total = this.terms.units - left;
    return { left };
  }
}
