export type BudgetPeriod = 'DAY' | 'MONTH';

export interface Period {
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** First day of the next period in the time zone, written as YYYY-MM-DD. */
  readonly nextDay: string;
}

const dayMs = 86_400_000;

export class Calendar {
  /** Created on first use, because creating it takes a tenth of padron's start-up time. */
  private format: Intl.DateTimeFormat | null = null;
  private readonly current = new Map<BudgetPeriod, Period>();

  constructor(private readonly timeZone: string) {}

  periodOf(kind: BudgetPeriod, moment: Date): Period {
    const cached = this.current.get(kind);
    if (cached !== undefined && moment >= cached.startsAt && moment < cached.endsAt) return cached;
    const [year = 0, month = 1, day = 1] = this.dayOf(moment.getTime()).split('-').map(Number);
    const first = kind === 'DAY' ? day : 1;
    const next = kind === 'DAY' ? Date.UTC(year, month - 1, day + 1) : Date.UTC(year, month, 1);
    const period = {
      startsAt: this.startOf(Date.UTC(year, month - 1, first)),
      endsAt: this.startOf(next),
      nextDay: new Date(next).toISOString().slice(0, 10),
    };
    this.current.set(kind, period);
    return period;
  }

  startOfDay(day: string): Date {
    return this.startOf(Date.parse(`${day}T00:00:00Z`));
  }

  /**
   * Returns the moment when a calendar day begins in this time zone. `utcMidnight` is the midnight of that day in UTC. The moment is
   * found by binary search, because a day does not begin at 0:00 if clocks go forward at midnight.
   */
  private startOf(utcMidnight: number): Date {
    const wanted = new Date(utcMidnight).toISOString().slice(0, 10);
    let before = utcMidnight - dayMs;
    let within = utcMidnight + dayMs;
    while (within - before > 1) {
      const middle = Math.floor((before + within) / 2);
      if (this.dayOf(middle) < wanted) before = middle;
      else within = middle;
    }
    return new Date(within);
  }

  private dayOf(milliseconds: number): string {
    this.format ??= new Intl.DateTimeFormat('en-CA', {
      timeZone: this.timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    return this.format.format(milliseconds);
  }
}
