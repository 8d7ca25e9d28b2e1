import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import { connectorOf } from '../../../registry/transport/proxies';
import { StoreBusyError, StoreUnavailableError } from '../../../store/store';
import { times } from '../../../times';
import type { EventObserver, EventStore, LedgerEvent, Webhook } from './event-store';

export interface SenderOptions {
  readonly events: EventStore;
  /** Returns the receiver, whose secrets may change, or null if events are only logged. */
  readonly webhook: () => Webhook | null;
  readonly now: () => Date;
  readonly observer: EventObserver;
}

const maxConcurrent = 10;
/** The status is the whole answer. padron reads a short body only to use the connection again. */
const maxBodyBytes = 4_096;
const unsettledMs = 15 * 60_000;
/** Time after which an answer of a registry is reported again, because the process that had reported a pause may be gone. */
const answerMs = 60_000;
const finalStatus = 410;

/** The last observation of a registry, with its time (`performance.now()`). A null reason means that the registry answered. */
interface RegistryReport {
  readonly reason: string | null;
  readonly seenAt: number;
}

/** Result of an attempt. A null reason means that the receiver accepted the event. */
interface Attempt {
  readonly status: number | null;
  readonly reason: string | null;
}

/** An event as it is sent. `test` is only in events of `padron trigger`. */
type SentEvent = Omit<LedgerEvent, 'attempts'> & { readonly test?: true };

/** Returns the request of one attempt to send an event, signed with each secret. */
export function signEvent({ secrets }: Webhook, { id, type, at, data, test }: SentEvent, now: Date) {
  const body = JSON.stringify({ type, timestamp: at, data, test });
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const sign = (secret: Buffer): string =>
    `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  };
  return { method: 'POST', headers, body } as const;
}

/** Returns the connections to a receiver. */
export const connectTo = ({ proxies }: Webhook): Agent =>
  new Agent({ connect: connectorOf(proxies, times.eventAnswer) });

/** Posts the events of the store in the form of Standard Webhooks. Each event is leased to one process at a time. */
export class EventSender {
  private isStopped = false;
  private timer: NodeJS.Timeout | null = null;
  private polling: Promise<void> | null = null;
  private agent: Agent | null = null;
  private readonly deliveries = new Set<Promise<void>>();
  /** Requests whose response, with its body, has not ended. */
  private readonly attempts = new Set<AbortController>();
  /** Registries whose state is not in the store yet. */
  private readonly registries = new Map<string, RegistryReport>();
  private readonly answersReportedAt = new Map<string, number>();
  private nextUnsettledAt = 0;

  constructor(private readonly options: SenderOptions) {}

  start(): void {
    this.timer ??= setInterval(() => this.poll(), times.eventPoll).unref();
  }

  /** Aborts running deliveries. Events that were not delivered stay in the store. */
  async close(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.isStopped = true;
    await this.polling;
    if (this.options.events.isOpen) await this.recordRegistries().catch(() => undefined);
    for (const attempt of this.attempts) attempt.abort();
    await Promise.all(this.deliveries);
  }

  /** Reports that a registry is paused for all accounts, or with a null reason that it has answered. */
  reportRegistry(registry: string, reason: string | null): void {
    const seenAt = performance.now();
    const reportedAt = this.answersReportedAt.get(registry);
    if (reason !== null) this.answersReportedAt.delete(registry);
    else if (reportedAt !== undefined && seenAt < reportedAt + answerMs) return;
    else this.answersReportedAt.set(registry, seenAt);
    this.registries.set(registry, { reason, seenAt });
  }

  reportPrice(endpoint: string, named: number, units: number): void {
    this.options.events.recordPrice(endpoint, named, units).catch((error: unknown) => this.report(error));
  }

  private poll(): void {
    if (this.isStopped) return;
    this.polling ??= this.runCycle()
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.polling = null;
      });
  }

  private report(error: unknown): void {
    // `StoreHealth` reports an unavailable store, but not a statement that takes too long.
    if (!(error instanceof StoreUnavailableError) || error instanceof StoreBusyError)
      this.options.observer.eventsFailed(error);
  }

  private async runCycle(): Promise<void> {
    const { events, observer } = this.options;
    const webhook = this.options.webhook();
    const isPaused = [...this.registries.values()].some(({ reason }) => reason !== null);
    if (!events.isOpen && !isPaused) return;
    // If an event cannot be added, the others are still delivered.
    await this.recordRegistries().catch((error: unknown) => this.report(error));
    await this.recordUnsettled().catch((error: unknown) => this.report(error));
    if (webhook === null) {
      for (const event of await events.takePending())
        if (event.attempts === 0) observer.eventHappened(event);
        else observer.eventNotDelivered(event, 'WEBHOOK_URL is not set', true);
      return;
    }
    const free = maxConcurrent - this.deliveries.size;
    if (free === 0) return;
    for (const event of await events.lease(free, times.eventLease / 1_000)) this.startDelivery(webhook, event);
  }

  private async recordRegistries(): Promise<void> {
    for (const [registry, report] of this.registries) {
      await this.options.events.recordRegistry(registry, report.reason, performance.now() - report.seenAt);
      // The registry may have changed again meanwhile.
      if (this.registries.get(registry) === report) this.registries.delete(registry);
    }
  }

  private async recordUnsettled(): Promise<void> {
    const { events, now } = this.options;
    if (performance.now() < this.nextUnsettledAt) return;
    this.nextUnsettledAt = performance.now() + unsettledMs;
    await events.recordUnsettled(now());
  }

  private startDelivery(webhook: Webhook, event: LedgerEvent): void {
    const delivery = this.deliver(webhook, event)
      .catch((error: unknown) => this.report(error))
      .finally(() => this.deliveries.delete(delivery));
    this.deliveries.add(delivery);
  }

  private async deliver(webhook: Webhook, event: LedgerEvent): Promise<void> {
    const { events, observer } = this.options;
    if (event.attempts === 1) observer.eventHappened(event);
    const { status, reason } = await this.post(webhook, event);
    if (status !== null && reason === null) {
      observer.eventDelivered(event);
      await events.recordDelivery(event.id, status);
      // The next event of the subject is due.
      return this.poll();
    }
    const isFinal = await events.recordFailure(event, status, status === finalStatus);
    if (!this.isStopped) observer.eventNotDelivered(event, reason ?? '', isFinal);
  }

  private async post(webhook: Webhook, event: LedgerEvent): Promise<Attempt> {
    const attempt = new AbortController();
    const { signal } = attempt;
    const timeout = new DOMException('The receiver did not answer in time.', 'TimeoutError');
    const timer = setTimeout(() => attempt.abort(timeout), times.eventAnswer);
    this.attempts.add(attempt);
    const end = (): void => {
      clearTimeout(timer);
      this.attempts.delete(attempt);
    };
    try {
      this.agent ??= connectTo(webhook);
      const signed = signEvent(webhook, event, this.options.now());
      const response = await request(webhook.url, { ...signed, signal, dispatcher: this.agent });
      response.body.dump({ limit: maxBodyBytes, signal }).then(end, end);
      const status = response.statusCode;
      return { status, reason: status >= 200 && status < 300 ? null : `HTTP ${status}` };
    } catch (error) {
      end();
      const { code, name } = error as NodeJS.ErrnoException;
      return { status: null, reason: typeof code === 'string' ? code : name };
    }
  }
}
