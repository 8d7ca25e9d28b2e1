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
