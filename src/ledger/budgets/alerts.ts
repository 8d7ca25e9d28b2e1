import { createHmac } from 'node:crypto';
import { request } from 'undici';
import { type Store, StoreUnavailableError } from '../../store/store';
import type { BudgetPeriod } from './budget';

export interface AlertBudget {
  readonly id: string;
  readonly client: string | null;
  readonly tag: string | null;
  readonly period: BudgetPeriod;
  readonly units: number;
}

export interface AlertObserver {
  /** Called once for each alert, by one of the processes that share the store. */
  budgetReached(budget: AlertBudget, percent: number): void;
  alertDelivered(percent: number): void;
  /** `reason` does not contain secrets. */
  alertNotDelivered(budget: AlertBudget, percent: number, reason: string): void;
  /** Reports a failed query of alerts, unless the store is unavailable. */
  alertsFailed(error: unknown): void;
}

export interface AlertOptions {
  readonly store: Store;
  /** The receiver of alerts, or null if alerts are only logged. */
  readonly url: string | null;
  readonly key: Buffer;
  readonly now: () => Date;
  readonly observer: AlertObserver;
}

interface DueAlert extends AlertBudget {
  readonly starts_at: Date;
  readonly percent: number;
  readonly spent: number;
  readonly attempts: number;
}

const pollMs = 1_000;
const timeoutMs = 10_000;
const maxConcurrent = 10;
/** Time that a process has to deliver an alert. After that, other processes may deliver it. */
const leaseSeconds = 30;
const maxRetrySeconds = 600;

const leaseDueAlerts = `
  UPDATE ledger_alerts a SET attempts = a.attempts + 1, next_at = now() + make_interval(secs => ${leaseSeconds})
  FROM ledger_budgets b
  WHERE b.id = a.budget_id AND a.delivered_at IS NULL AND a.next_at <= now() AND (a.budget_id, a.starts_at, a.percent) IN (
    SELECT d.budget_id, d.starts_at, d.percent FROM ledger_alerts d JOIN ledger_budgets o ON o.id = d.budget_id
    WHERE d.delivered_at IS NULL AND d.next_at <= now() ORDER BY d.next_at LIMIT ${maxConcurrent} FOR UPDATE OF d SKIP LOCKED)
  RETURNING b.id, b.client, b.tag, b.period, b.units, a.starts_at, a.percent, a.spent, a.attempts`;
const whereAlert = 'budget_id = $1 AND starts_at = $2 AND percent = $3';
const markDelivered = `UPDATE ledger_alerts SET delivered_at = now() WHERE ${whereAlert}`;
const scheduleRetry = `UPDATE ledger_alerts SET next_at = now() + make_interval(secs => $4) WHERE ${whereAlert}`;

/**
 * Posts the due alerts of the store, with a signature. Each alert is leased to one process at a time. A failed delivery is retried with
 * growing pauses until the receiver accepts the alert.
 */
export class AlertSender {
  private readonly stopped = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;

  constructor(private readonly options: AlertOptions) {}

  start(): void {
    if (this.stopped.signal.aborted) return;
    this.timer ??= setInterval(() => void this.deliverDue(), pollMs).unref();
  }

  /** Aborts running deliveries. Alerts that were not delivered stay in the store. */
  async close(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.stopped.abort();
    await this.running;
  }

  private deliverDue(): Promise<void> {
    this.running ??= this.deliverAll()
      .catch((error: unknown) => {
        // `StoreHealth` reports an unavailable store.
        if (!(error instanceof StoreUnavailableError)) this.options.observer.alertsFailed(error);
      })
      .finally(() => {
        this.running = null;
      });
    return this.running;
  }

  private async deliverAll(): Promise<void> {
    const due = await this.options.store.query<DueAlert>(leaseDueAlerts);
    await Promise.all(due.map((alert) => this.deliver(alert)));
  }

  private async deliver(alert: DueAlert): Promise<void> {
    const { store, observer } = this.options;
    const { id, starts_at, percent, attempts } = alert;
    if (attempts === 1) observer.budgetReached(alert, percent);
    const failure = await this.post(alert);
    if (failure === null) {
      if (this.options.url !== null) observer.alertDelivered(percent);
      await store.query(markDelivered, [id, starts_at, percent]);
      return;
    }
    if (!this.stopped.signal.aborted) observer.alertNotDelivered(alert, percent, failure);
    const seconds = Math.min(maxRetrySeconds, 2 ** Math.min(attempts, 10) / 2);
    await store.query(scheduleRetry, [id, starts_at, percent, seconds]);
  }

  /** Posts an alert. Returns the reason if the receiver did not accept it, and null if it did or if there is no receiver. */
  private async post({ starts_at, percent, spent, ...alert }: DueAlert): Promise<string | null> {
    const { url, now } = this.options;
    if (url === null) return null;
    const { id, client, tag, period, units } = alert;
    const body = JSON.stringify({
      type: 'budget.reached',
      // Every attempt has the same ID, so that the receiver can recognise a repeated alert.
      id: `${id}:${starts_at.toISOString()}:${percent}`,
      percent,
      budget: { id, client, tag, period, units },
      periodStartsAt: starts_at,
      spentUnits: spent,
    });
    const timestamp = String(Math.floor(now().getTime() / 1_000));
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
      const isAccepted = response.statusCode >= 200 && response.statusCode < 300;
      return isAccepted ? null : `HTTP ${response.statusCode}`;
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException;
      return code ?? name;
    }
  }
}
