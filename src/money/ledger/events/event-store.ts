import type { Proxies } from '../../../registry/transport/proxies';
import type { Store } from '../../../store/store';
import { abandonedAfterMs, Conditions, readCursor, toCursor } from '../entries/conditions';
import { InvalidCursorError, type PageRequest } from '../entries/ledger-api';

/** State of the delivery. FAILED: the receiver did not accept the event in three days, or it answered 410. */
export type EventState = 'PENDING' | 'DELIVERED' | 'FAILED';

/** An event, and what `data` says about it: IDs, codes and counts. None of them is, or is derived from, an identifier of a person. */
export interface LedgerEvent {
  readonly id: string;
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, string | number | null>>;
  readonly attempts: number;
}

const batch = { batch: 'b0Jq3o2vTn6m5cZpXk1w8g', rows: 1_000, units: 400, uncertainUnits: 0 };
const pause = { reason: 'BUDGET_EXHAUSTED', pausedUntil: '2026-11-25T06:00:00.000Z' };

/** Invented data of every type of event. */
export const eventExamples = {
  'batch.ready': { ...batch, units: 0, reason: null, pausedUntil: null, budget: null },
  'batch.done': { ...batch, units: 985, reason: null, pausedUntil: null, budget: null },
  'batch.paused': { ...batch, ...pause, budget: '0b8e7c52-4f0e-4b8e-9d53-6c1f7a2e9b10' },
  'budget.reached': { budget: '0b8e7c52-4f0e-4b8e-9d53-6c1f7a2e9b10', percent: 80, units: 5_000, spentUnits: 4_000 },
  'ledger.unsettled': { calls: 3, units: 3 },
  'prices.differ': { endpoint: 'POST /api/infonavit/grupo/buscar-credito', namedUnits: 2, units: 1 },
  'registry.paused': { registry: 'housing', reason: 'REGISTRY_TIMEOUT' },
  'registry.resumed': { registry: 'housing', reason: null },
} as const satisfies Readonly<Record<string, LedgerEvent['data']>>;

export type EventType = keyof typeof eventExamples;

export interface DeliveredEvent extends LedgerEvent {
  readonly state: EventState;
  /** HTTP status of the last response. Null if the last attempt had none. */
  readonly lastStatus: number | null;
}

export interface EventPage {
  readonly events: readonly DeliveredEvent[];
  /** Cursor of the next page. Null on the last page. */
  readonly next: string | null;
}

/** The receiver of events. A second secret signs too, while the operator changes secrets. */
export interface Webhook {
  readonly url: string;
  readonly secrets: readonly Buffer[];
  readonly proxies: Proxies;
}

export interface EventObserver {
  /** Called once for each event, by one of the processes that share the store. */
  eventHappened(event: LedgerEvent): void;
  eventDelivered(event: LedgerEvent): void;
  /** `reason` does not contain secrets. If `isFinal` is true, the event is not sent again automatically. */
  eventNotDelivered(event: LedgerEvent, reason: string, isFinal: boolean): void;
  /** Reports a failed statement about events, unless the store is unavailable. */
  eventsFailed(error: unknown): void;
}

const addPriceEvent = `INSERT INTO ledger_events (key, type, subject, data)
  SELECT 'prices:' || $1::text || ':' || (now() AT TIME ZONE z.time_zone)::date, 'prices.differ', 'prices:' || $1::text,
    json_build_object('endpoint', $1::text, 'namedUnits', $2::float8, 'units', $3::integer)
  FROM ledger_calendar z ON CONFLICT (key) DO NOTHING`;

const columns = 'id, type, at, data, attempts';
const deliveryColumns = `${columns}, state, last_status AS "lastStatus"`;

/**
 * Leases due events to a process. An event waits until all earlier events of its subject are delivered or have failed. The count of its
 * attempts tells a process whether its lease has ended.
 */
const leaseDue = `
  UPDATE ledger_events l SET attempts = l.attempts + 1, next_at = now() + make_interval(secs => $2) WHERE l.number IN (
    SELECT d.number FROM ledger_events d WHERE d.state = 'PENDING' AND d.next_at <= now() AND NOT EXISTS (
      SELECT FROM ledger_events e WHERE e.subject = d.subject AND e.state = 'PENDING' AND e.number < d.number)
    ORDER BY d.next_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING ${columns}`;

const recordFailure = `
  UPDATE ledger_events SET last_status = $3,
    state = CASE WHEN $4 OR now() >= queued_at + interval '3 days' THEN 'FAILED' ELSE 'PENDING' END,
    next_at = least(now() + pause, queued_at + interval '3 days'), pause = least(2 * pause, interval '1 hour')
  WHERE id = $1 AND attempts = $2 AND state = 'PENDING' RETURNING state`;

/**
 * The key names the previous event, so that processes which see the same change at once add one event. A process may report late what
 * happened before the previous event, for example an answer from before the pause.
 */
const addRegistryEvent = `
  INSERT INTO ledger_events (key, type, subject, data, at)
  SELECT s.subject || ':' || coalesce(l.number, 0), $2::text, s.subject, json_build_object('registry', $1::text, 'reason', $3::text), s.at
  FROM (SELECT 'registry:' || $1::text AS subject, now() - make_interval(secs => $4) AS at) s LEFT JOIN LATERAL (
    SELECT e.number, e.type, e.at FROM ledger_events e WHERE e.subject = s.subject ORDER BY e.number DESC LIMIT 1) l ON true
  WHERE coalesce(l.type, 'registry.resumed') <> $2::text AND (l.at IS NULL OR l.at <= s.at) ON CONFLICT (key) DO NOTHING`;

const addUnsettledEvents = `
  INSERT INTO ledger_events (key, accounts, type, subject, data)
  SELECT 'ledger:' || u.account || ':' || u.day, ARRAY[u.account], 'ledger.unsettled', 'ledger:' || u.account,
    json_build_object('calls', u.calls, 'units', u.units)
  FROM (
    SELECT e.account, ($1::timestamptz AT TIME ZONE z.time_zone)::date AS day, count(*) AS calls, sum(e.price) AS units
    FROM ledger_entries e, ledger_calendar z
    WHERE e.billing = 'UNKNOWN' AND e.settled_billing IS NULL AND (e.outcome <> 'OPEN' OR e.at < $1::timestamptz - interval '${abandonedAfterMs} milliseconds')
    GROUP BY 1, 2) u
  ON CONFLICT (key) DO NOTHING`;

function readNumber(cursor: string): number {
  const number = Number(readCursor(cursor));
  if (!Number.isSafeInteger(number)) throw new InvalidCursorError();
  return number;
}

/**
 * The events in the store: those of each account, by its names under all keys, and those of all accounts. Events of budgets and batches are
 * added by the SQL functions that make the changes.
 */
export class EventStore {
  constructor(private readonly store: Store) {}

  /** Whether the store is in use. A store in memory is not opened only to find that it has no events. */
  get isOpen(): boolean {
    return this.store.isOpen;
  }

  async page(accounts: readonly string[], state: EventState | null, { first, after }: PageRequest): Promise<EventPage> {
    const conditions = new Conditions();
    conditions.parameter(accounts);
    conditions.add(`(accounts && $1 OR accounts IS NULL) AND state <> 'LOGGED'`);
    if (state !== null) conditions.add(`state = ${conditions.parameter(state)}`);
    if (after !== null) conditions.add(`number < ${conditions.parameter(readNumber(after))}::int8`);
    const found = await this.store.read<DeliveredEvent & { readonly number: number }>(
      `SELECT number, ${deliveryColumns} FROM ledger_events WHERE ${conditions.sql} ORDER BY number DESC LIMIT ${first + 1}`,
      conditions.parameters,
    );
    const last = found[first - 1];
    return {
      events: found.slice(0, first),
      next: found.length > first && last !== undefined ? toCursor(`${last.number}`) : null,
    };
  }

  /**
   * Lets an event be sent again, with the same ID and data. Returns null if the account has no such event. Events of all accounts are only sent
   * if `includesShared` is true.
   */
  async resend(accounts: readonly string[], id: string, includesShared: boolean): Promise<DeliveredEvent | null> {
    const [event] = await this.store.query<DeliveredEvent>(
      `UPDATE ledger_events SET state = 'PENDING', queued_at = now(), next_at = now(), pause = DEFAULT
       WHERE id = $2 AND (accounts && $1 OR (accounts IS NULL AND $3)) RETURNING ${deliveryColumns}`,
      [accounts, id, includesShared],
    );
    return event ?? null;
  }

  lease(count: number, seconds: number): Promise<readonly LedgerEvent[]> {
    return this.store.query<LedgerEvent>(leaseDue, [count, seconds]);
  }

  /**
   * Takes events for a process without a receiver. If another process has one, it takes them first. Events that were sent without success fail a
   * day after a process with a receiver would have given up.
   */
  takePending(): Promise<readonly LedgerEvent[]> {
    return this.store.query<LedgerEvent>(
      `UPDATE ledger_events SET state = CASE attempts WHEN 0 THEN 'LOGGED' ELSE 'FAILED' END
       WHERE state = 'PENDING' AND queued_at <= now() - CASE attempts WHEN 0 THEN interval '10 seconds' ELSE interval '4 days' END
       RETURNING ${columns}`,
    );
  }

  async recordDelivery(id: string, status: number): Promise<void> {
    await this.store.query(`UPDATE ledger_events SET state = 'DELIVERED', last_status = $2 WHERE id = $1`, [
      id,
      status,
    ]);
  }

  /** Records a failed attempt. Returns whether the event is not sent again. */
  async recordFailure({ id, attempts }: LedgerEvent, status: number | null, isFinal: boolean): Promise<boolean> {
    const [event] = await this.store.query<{ readonly state: EventState }>(recordFailure, [
      id,
      attempts,
      status,
      isFinal,
    ]);
    return event?.state === 'FAILED';
  }

  /**
   * Adds an event if the registry was not in this state before. A null reason means that the registry answered. It is `ageMs` since the answer
   * or the pause.
   */
  async recordRegistry(registry: string, reason: string | null, ageMs: number): Promise<void> {
    const type: EventType = reason === null ? 'registry.resumed' : 'registry.paused';
    await this.store.query(addRegistryEvent, [registry, type, reason, ageMs / 1_000]);
  }

  /** Adds an event for an endpoint whose answers name another price, once a day. */
  async recordPrice(endpoint: string, named: number, units: number): Promise<void> {
    await this.store.query(addPriceEvent, [endpoint, named, units]);
  }

  /** Adds an event for each account with unsettled calls that has none yet for the day of `now`. */
  async recordUnsettled(now: Date): Promise<void> {
    await this.store.query(addUnsettledEvents, [now]);
  }
}
