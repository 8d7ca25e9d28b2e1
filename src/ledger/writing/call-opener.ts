import { type Problem, problem } from '../../registry/answer/problem';
import { StatementBatcher } from '../../store/statement-batcher';
import { StatementError, type Store, StoreUnavailableError } from '../../store/store';
import type { BudgetPeriod } from '../budgets/budget';
import { budgetExhausted } from '../budgets/budget-exhausted';
import type { Calendar } from '../budgets/period';
import { type OpenedEntry, releasedEntry, withdrawnEntry } from './entry-json';
import type { EntryWriter } from './entry-writer';
import type { StoreHealth } from './store-health';

export interface OpenerOptions {
  readonly store: Store;
  readonly health: StoreHealth;
  readonly writer: EntryWriter;
  readonly calendar: Calendar;
  readonly processName: string;
  readonly now: () => Date;
  /** Milliseconds that a call waits for the store. */
  readonly patienceMs: number;
}

interface Opening {
  readonly entry: OpenedEntry;
  /** The names of the call's account, by all keys. */
  readonly accounts: readonly string[];
}

interface Refusal {
  readonly refused: string;
  readonly client: string | null;
  readonly tag: string | null;
  readonly period: BudgetPeriod;
  readonly units: number;
  readonly rest: number;
}

const retryAfterSeconds = 5;

export const ledgerUnavailable = (): Problem => problem('LEDGER_UNAVAILABLE', { retryAfter: retryAfterSeconds });

/** Opens calls in the store before they are sent. Calls that arrive while one group is being opened form the next. */
export class CallOpener {
  private readonly queue = new StatementBatcher<Opening, Problem | null>((openings) => this.openAll(openings));

  constructor(private readonly options: OpenerOptions) {}

  /** Returns null if the call may be sent. A call that the store may have opened, and that is not sent, is taken back. */
  async open(entry: OpenedEntry, accounts: readonly string[]): Promise<Problem | null> {
    const { health, writer, patienceMs } = this.options;
    if (health.isAway) return ledgerUnavailable();
    let isLate = false;
    const opening = this.queue.add({ entry, accounts }).then(
      (refusal) => {
        if (isLate && refusal === null) writer.add(releasedEntry(entry));
        return refusal;
      },
      (error: unknown) => {
        writer.add(withdrawnEntry(entry));
        if (!(error instanceof StoreUnavailableError)) throw error;
        return ledgerUnavailable();
      },
    );
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<Problem>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        health.recordFailure(new StoreUnavailableError(`The store has not answered for ${patienceMs} ms.`));
        resolve(ledgerUnavailable());
      }, patienceMs);
    });
    return Promise.race([opening, timeout]).finally(() => clearTimeout(timer));
  }

  private async openAll(openings: readonly Opening[]): Promise<readonly (Problem | null)[]> {
    const { calendar } = this.options;
    const days = new Map<number, Opening[]>();
    for (const opening of openings) {
      const day = calendar.periodOf('DAY', new Date(opening.entry.at)).startsAt.getTime();
      days.set(day, [...(days.get(day) ?? []), opening]);
    }
    const refusals = new Map<string, Problem>();
    for (const ofDay of days.values())
      for (const [id, refusal] of await this.openGroup(ofDay)) refusals.set(id, refusal);
    return openings.map(({ entry }) => refusals.get(entry.id) ?? null);
  }

  /** Returns the refusals, by id. A call that the store cannot even read must not fail the others. */
  private async openGroup(openings: readonly Opening[]): Promise<readonly (readonly [string, Problem])[]> {
    try {
      return await this.openTogether(openings);
    } catch (error) {
      if (!(error instanceof StatementError) || openings.length === 1) throw error;
    }
    const results = openings.map((opening) =>
      this.openTogether([opening]).catch((error: unknown) => {
        if (error instanceof StatementError) return [[opening.entry.id, ledgerUnavailable()]] as const;
        throw error;
      }),
    );
    return (await Promise.all(results)).flat();
  }

  private async openTogether(openings: readonly Opening[]): Promise<readonly (readonly [string, Problem])[]> {
    const { store, processName } = this.options;
    const calls = openings.map(({ entry, accounts }) => ({ ...entry, accounts }));
    const moment = new Date(calls[0]?.at ?? 0);
    const sql = 'SELECT * FROM ledger_open($1::json, $2, $3)';
    const refusals = await store.query<Refusal>(sql, [JSON.stringify(calls), processName, moment]);
    const prices = new Map(openings.map(({ entry }) => [entry.id, entry.price]));
    return refusals.map((refusal) => [
      refusal.refused,
      this.toProblem(refusal, prices.get(refusal.refused) ?? 0, moment),
    ]);
  }

  private toProblem({ client, tag, period, units, rest }: Refusal, price: number, moment: Date): Problem {
    const { calendar, now } = this.options;
    return budgetExhausted({ client, tag, period, units }, calendar.periodOf(period, moment), price, rest, now());
  }
}
