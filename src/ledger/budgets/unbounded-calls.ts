import type { BudgetScope } from './budget';
import type { Reservation } from './reservation';
import type { Slice } from './slice';

interface UnboundedCall {
  readonly scope: BudgetScope;
  readonly price: number;
  readonly moment: Date;
  /** Null as long as the budgets are not known. */
  slices: readonly Slice[] | null;
}

interface Sum {
  readonly scope: BudgetScope;
  /** Of the first of them. */
  moment: Date;
  units: number;
}

/** Those that are over are summed up, by whose they were and when: an outage may be long. Beyond, they count in no budget. */
const maxSums = 10_000;
const hourMs = 3_600_000;

/** Calls that leave while the budgets are not known, since the store is away: they count as soon as it is back. */
export class UnboundedCalls {
  private readonly underWay = new Set<UnboundedCall>();
  private readonly sums = new Map<string, Sum>();

  record(scope: BudgetScope, price: number, moment: Date): Reservation {
    const call: UnboundedCall = { scope, price, moment, slices: null };
    this.underWay.add(call);
    return {
      settle: (units) => {
        if (call.slices === null) this.sum(call, units);
        else for (const slice of call.slices) slice.settleCounted(price, units);
        this.underWay.delete(call);
      },
    };
  }

  /** Counts all of them in what bounds them, and gives that: it is to be opened. */
  countIn(slicesOf: (scope: BudgetScope, moment: Date) => readonly Slice[]): readonly Slice[] {
    const counted = new Set<Slice>();
    const count = ({ scope, moment }: UnboundedCall | Sum, spent: number, underWay: number): readonly Slice[] => {
      const slices = slicesOf(scope, moment);
      for (const slice of slices) {
        slice.count(spent, underWay);
        counted.add(slice);
      }
      return slices;
    };
    const calls = [...this.sums.values(), ...this.underWay];
    // A slice begins with the first call that it is made for.
    for (const call of calls.toSorted((left, right) => left.moment.getTime() - right.moment.getTime())) {
      if ('units' in call) count(call, call.units, 0);
      else call.slices = count(call, 0, call.price);
    }
    this.sums.clear();
    return [...counted];
  }

  private sum({ scope, moment }: UnboundedCall, units: number): void {
    const { accounts, client, tag } = scope;
    const key = JSON.stringify([accounts[0], client, tag, Math.floor(moment.getTime() / hourMs)]);
    const existing = this.sums.get(key);
    if (existing !== undefined) {
      existing.units += units;
      if (moment < existing.moment) existing.moment = moment;
    } else if (this.sums.size < maxSums) this.sums.set(key, { scope, moment, units });
  }
}
