import { type Problem, problem } from '../../registry/answer/problem';
import { StatementBatcher } from '../../store/statement-batcher';
import { StatementError, type Store, StoreUnavailableError } from '../../store/store';
import type { BudgetPeriod, BudgetTerms } from '../budgets/budget';
import type { Calendar, Period } from '../budgets/period';
import { type OpenedEntry, releasedEntry, withdrawnEntry } from './entry-json';
import type { EntryWriter } from './entry-writer';
import type { StoreHealth } from './store-health';

function budgetExhausted(
  terms: Pick<BudgetTerms, 'client' | 'tag' | 'period' | 'units'>,
  period: Period,
  price: number,
  left: number,
  now: Date,
): Problem {
  const { client, tag, units } = terms;
  const isDay = terms.period === 'DAY';
  const scope = [client === null ? [] : `the client ${client}`, tag === null ? [] : `the tag ${tag}`].flat();
  const spanishScope = [
    client === null ? [] : `del cliente ${client}`,
    tag === null ? [] : `de la etiqueta ${tag}`,
  ].flat();
  const limit = `${units} unit${units === 1 ? '' : 's'} a ${isDay ? 'day' : 'month'}`;
  const spanishLimit = `${units} ${units === 1 ? 'unidad' : 'unidades'} por ${isDay ? 'día' : 'mes'}`;
  const message = `No call was made: the budget of ${limit} for ${scope.join(' and ') || 'the account'} has ${left} left, and this call costs ${price}. The budget resets on ${period.nextDay}.`;
  const spanish = `No se consultó: del presupuesto de ${spanishLimit} ${spanishScope.join(' y ') || 'de la cuenta'} ${left === 1 ? 'queda' : 'quedan'} ${left}, y esto cuesta ${price}. Se renueva el ${period.nextDay}.`;
  const retryAfter = Math.max(1, Math.ceil((period.endsAt.getTime() - now.getTime()) / 1_000));
  return problem('BUDGET_EXHAUSTED', { message, spanish, retryAfter });
}

export interface OpenerOptions {
  readonly store: Store;
  readonly health: StoreHealth;
  readonly writer: EntryWriter;
  readonly calendar: Calendar;
  readonly processName: string;
  readonly now: () => Date;
  readonly timeoutMs: number;
}

interface QueuedCall {
  readonly entry: OpenedEntry;
  readonly accounts: readonly string[];
}

interface RefusedCall {
  readonly id: string;
  readonly client: string | null;
  readonly tag: string | null;
  readonly period: BudgetPeriod;
  readonly units: number;
  readonly unitsLeft: number;
}

const retryAfterSeconds = 5;

const openSql =
  'SELECT refused_call AS id, client, tag, period, units, units_left AS "unitsLeft" FROM ledger_open($1::json, $2, $3)';

export const ledgerUnavailable = (): Problem => problem('LEDGER_UNAVAILABLE', { retryAfter: retryAfterSeconds });

/** Opens calls in the store before they are sent. Calls that arrive while a group is being opened form the next group. */
export class CallOpener {
  private readonly queue = new StatementBatcher<QueuedCall, Problem | null>((calls) => this.openAll(calls));

  constructor(private readonly options: OpenerOptions) {}

  /**
   * Opens a call. Returns null if the call may be sent. If the store does not answer in time, the call is not sent, and units that
   * the store may have reserved for it are released later.
   */
  async open(entry: OpenedEntry, accounts: readonly string[]): Promise<Problem | null> {
    const { health, writer, timeoutMs } = this.options;
    if (health.isUnavailable) return ledgerUnavailable();
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
        health.recordFailure(new StoreUnavailableError(`The store did not answer within ${timeoutMs} ms.`));
        resolve(ledgerUnavailable());
      }, timeoutMs);
    });
    return Promise.race([opening, timeout]).finally(() => clearTimeout(timer));
  }

  private async openAll(calls: readonly QueuedCall[]): Promise<readonly (Problem | null)[]> {
    const { calendar } = this.options;
    const days = new Map<number, QueuedCall[]>();
    for (const call of calls) {
      const day = calendar.periodOf('DAY', new Date(call.entry.at)).startsAt.getTime();
      days.set(day, [...(days.get(day) ?? []), call]);
    }
    const refusals = new Map<string, Problem>();
    for (const callsOfDay of days.values())
      for (const [id, refusal] of await this.openGroup(callsOfDay)) refusals.set(id, refusal);
    return calls.map(({ entry }) => refusals.get(entry.id) ?? null);
  }

  /** Returns the problems of refused calls by ID. If the store rejects the statement because of one call, the others are opened anyway. */
  private async openGroup(calls: readonly QueuedCall[]): Promise<readonly (readonly [string, Problem])[]> {
    try {
      return await this.openTogether(calls);
    } catch (error) {
      if (!(error instanceof StatementError) || calls.length === 1) throw error;
    }
    const results = calls.map((call) =>
      this.openTogether([call]).catch((error: unknown) => {
        if (error instanceof StatementError) return [[call.entry.id, ledgerUnavailable()]] as const;
        throw error;
      }),
    );
    return (await Promise.all(results)).flat();
  }

  private async openTogether(calls: readonly QueuedCall[]): Promise<readonly (readonly [string, Problem])[]> {
    const { store, processName } = this.options;
    const rows = calls.map(({ entry, accounts }) => ({ ...entry, accounts }));
    const moment = new Date(rows[0]?.at ?? 0);
    const refused = await store.query<RefusedCall>(openSql, [JSON.stringify(rows), processName, moment]);
    const prices = new Map(rows.map(({ id, price }) => [id, price]));
    return refused.map((call) => [call.id, this.toProblem(call, prices.get(call.id) ?? 0, moment)]);
  }

  private toProblem({ client, tag, period, units, unitsLeft }: RefusedCall, price: number, moment: Date): Problem {
    const { calendar, now } = this.options;
    return budgetExhausted({ client, tag, period, units }, calendar.periodOf(period, moment), price, unitsLeft, now());
  }
}
