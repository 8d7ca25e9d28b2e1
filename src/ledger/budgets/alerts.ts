import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Store } from '../../store/store';
import type { BudgetTerms } from './budget';
import type { Slice } from './slice';

/** Told of alerts, for log and metrics. */
export interface AlertObserver {
  budgetReached(budget: BudgetTerms, percent: number): void;
  alertNotDelivered(): void;
}

export interface AlertOptions {
  readonly store: Store;
  /** Null: nobody is told, beside log and metrics. */
  readonly url: string | null;
  readonly key: Buffer;
  readonly now: () => Date;
  readonly observer: AlertObserver;
  /** The first wait before it is tried again; each further one is twice as long. */
  readonly retryMs?: number;
}

interface AlertRow {
  readonly budget_id: string;
  readonly starts_at: Date;
  readonly percent: number;
}

const maxAttempts = 5;
const timeoutMs = 10_000;
/** One that took longer to deliver than all attempts take was left by a process that has ended. */
const abandonedMinutes = 10;

/** Says once, among all processes, that a budget has come to a percentage; to a URL, signed, and again until it is taken. */
export class AlertSender {
  private readonly stopped = new AbortController();
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly options: AlertOptions) {}

  /** What a slice has reached since it was looked at last. */
  check(slice: Slice): void {
    for (const percent of slice.takeCrossed()) this.follow(this.claim(slice, percent));
  }

  /** Those that a process had claimed and did not deliver. */
  async sendAgain(budgets: readonly BudgetTerms[]): Promise<void> {
    if (this.options.url === null) return;
    const rows = await this.options.store.query<AlertRow>(
      `UPDATE ledger_alerts SET claimed_at = now()
       WHERE delivered_at IS NULL AND claimed_at < now() - make_interval(mins => $1)
       RETURNING budget_id, starts_at, percent`,
      [abandonedMinutes],
    );
    for (const row of rows) {
      const terms = budgets.find(({ id }) => id === row.budget_id);
      if (terms !== undefined) this.follow(this.deliver(terms, row.starts_at, row.percent, null));
    }
  }

  /** What is under way has a moment; the rest is left for whoever looks next. */
  async close(): Promise<void> {
    await Promise.race([Promise.all(this.underWay), sleep(1_000, undefined, { ref: false })]);
    this.stopped.abort();
    await Promise.all(this.underWay);
  }

  private follow(delivery: Promise<void>): void {
    const ended = delivery.catch(() => this.options.observer.alertNotDelivered());
    this.underWay.add(ended);
    void ended.then(() => this.underWay.delete(ended));
  }

  /** Whoever writes the row tells it. */
  private async claim({ terms, period, spent }: Slice, percent: number): Promise<void> {
    const rows = await this.options.store.query(
      `INSERT INTO ledger_alerts (budget_id, starts_at, percent) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING RETURNING percent`,
      [terms.id, period.startsAt, percent],
    );
    if (rows.length === 0) return;
    this.options.observer.budgetReached(terms, percent);
    await this.deliver(terms, period.startsAt, percent, spent);
  }

  private async deliver(terms: BudgetTerms, startsAt: Date, percent: number, spent: number | null): Promise<void> {
    const { url, store, retryMs = 1_000 } = this.options;
    if (url === null) return;
    const { id, client, tag, period, units } = terms;
    const body = JSON.stringify({
      type: 'budget.reached',
      // The same however often it is sent.
      id: `${id}:${startsAt.toISOString()}:${percent}`,
      percent,
      budget: { id, client, tag, period, units },
      periodStartsAt: startsAt,
      spentUnits: spent,
    });
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      if (await this.post(url, body)) {
        await store.query(
          'UPDATE ledger_alerts SET delivered_at = now() WHERE budget_id = $1 AND starts_at = $2 AND percent = $3',
          [id, startsAt, percent],
        );
        return;
      }
      if (attempt < maxAttempts)
        await sleep(retryMs * 2 ** attempt, undefined, { signal: this.stopped.signal, ref: false });
    }
    this.options.observer.alertNotDelivered();
  }

  private async post(url: string, body: string): Promise<boolean> {
    const timestamp = String(Math.floor(this.options.now().getTime() / 1_000));
    const signature = createHmac('sha256', this.options.key).update(`${timestamp}.${body}`).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-padron-timestamp': timestamp,
      'x-padron-signature': `sha256=${signature}`,
    };
    try {
      const signal = AbortSignal.any([this.stopped.signal, AbortSignal.timeout(timeoutMs)]);
      const response = await request(url, { method: 'POST', headers, body, signal });
      await response.body.dump();
      return response.statusCode >= 200 && response.statusCode < 300;
    } catch {
      return false;
    }
  }
}
