import type { Billing, Evidence, Outcome } from '../../registry/answer/answer';
import type { Problem, ProblemCode } from '../../registry/answer/problem';
import type { Subject } from '../../registry/endpoint/endpoint';
import type { CallerTrail } from '../audit/audit-record';
import type { Budget, BudgetInput } from '../budgets/budget';
import type { DeliveredEvent, EventPage, EventState } from '../events/event';
import type { IndexedText } from '../subject-index';

export interface LedgerView {
  readonly accounts: readonly string[];
  /** The client whose entries are visible. Null for all clients. */
  readonly client: string | null;
}

export interface LedgerEntry {
  readonly id: string;
  readonly at: Date;
  readonly client: string | null;
  readonly tag: string | null;
  readonly purpose: string | null;
  /** References under which the answer was asked for: those of the call, and of questions that got its answer. */
  readonly references: readonly string[];
  readonly operation: string | null;
  readonly requestId: string | null;
  readonly batch: string | null;
  readonly outcome: Outcome;
  /** First problem of the answer, or null without a problem. */
  readonly problem: ProblemCode | null;
  readonly evidence: Evidence;
  /** Units charged. For a settled call, the units of its settlement. */
  readonly units: number;
  readonly uncertainUnits: number;
  readonly savedUnits: number;
  readonly settlement: Settlement | null;
}

/** Billing of an UNKNOWN call according to the service's statement. */
export interface Settlement {
  readonly billing: Exclude<Billing, 'UNKNOWN'>;
  readonly units: number;
  readonly at: Date;
  readonly note: string | null;
}

/** Filter for entries. The interval includes `from` and excludes `to`. */
export interface LedgerFilter {
  readonly from: Date | null;
  readonly to: Date | null;
  readonly client: string | null;
  readonly tag: string | null;
  readonly purpose: string | null;
  readonly operation: string | null;
  readonly endpoint: string | null;
  readonly batch: string | null;
  /** Hashes of the person who asked, under all keys. */
  readonly actor: readonly string[] | null;
  /** Hashes of a reference, under all keys. */
  readonly reference: readonly string[] | null;
  readonly billing: Billing | null;
  readonly unsettled: boolean | null;
}

/** A search of entries that match both the filter and one of the subjects. */
export interface LedgerQuery {
  readonly filter?: LedgerFilter | null;
  readonly subjects?: readonly Subject[] | null;
}

export interface PageRequest {
  readonly first: number;
  readonly after: string | null;
}

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  /** Cursor of the next page. Null on the last page. */
  readonly next: string | null;
}

export const spendKeys = ['DAY', 'MONTH', 'CLIENT', 'TAG', 'PURPOSE', 'OPERATION', 'ENDPOINT', 'BATCH'] as const;
export type SpendKey = (typeof spendKeys)[number];

export interface Spend {
  readonly day: string | null;
  readonly month: string | null;
  readonly client: string | null;
  readonly tag: string | null;
  readonly purpose: string | null;
  readonly operation: string | null;
  readonly endpoint: string | null;
  readonly batch: string | null;
  readonly calls: number;
  readonly units: number;
  readonly uncertainUnits: number;
  readonly savedUnits: number;
}

export interface SettlementInput {
  readonly id: string;
  readonly billing: Exclude<Billing, 'UNKNOWN'>;
  readonly note: string | null;
}

export class InvalidCursorError extends Error {
  override readonly name = 'InvalidCursorError';
}

export class TooManySumsError extends Error {
  override readonly name = 'TooManySumsError';

  constructor(readonly max: number) {
    super(`More than ${max} sums.`);
  }
}

export class DuplicateBudgetError extends Error {
  override readonly name = 'DuplicateBudgetError';
}

export interface LedgerReader {
  page(view: LedgerView, query: LedgerQuery, request: PageRequest): Promise<LedgerPage>;
  spend(view: LedgerView, filter: LedgerFilter, keys: readonly SpendKey[]): Promise<readonly Spend[]>;
  /** Returns the first moment of a calendar day in the time zone of days and months. The day is written as YYYY-MM-DD. */
  startOfDay(day: string): Date;
  hashesOf(text: IndexedText): readonly string[];
  /** Returns the IDs of keys under which the ledger has links, and that this process lacks: no search and no erasure finds those links. */
  missingKeys(): Promise<readonly string[]>;
  /** Returns the entries in any order. Unknown and invisible entries are left out. */
  find(view: LedgerView, ids: readonly string[]): Promise<readonly LedgerEntry[]>;
  /**
   * Settles all calls or none. Returns the IDs that cannot be settled, because they are not UNKNOWN calls of the view. If it returns
   * any, no call is settled.
   */
  settle(view: LedgerView, settlements: readonly SettlementInput[]): Promise<readonly string[]>;
  /**
   * Deletes all links of the account's entries about the person or employer, whatever the client of the view. Requests that began before
   * `at` add no new ones. Returns the number of these entries, including those of calls that are under way.
   */
  eraseSubject(view: LedgerView, subjects: readonly Subject[], at: Date): Promise<number>;
  csvLink(view: LedgerView, query: LedgerQuery): string;
}

/** Budgets over time. `accounts` is always the account's names under all keys. */
export interface AccountBudgets {
  list(accounts: readonly string[]): Promise<readonly Budget[]>;
  /** Returns null if the ID is not a budget of the account. */
  set(accounts: readonly string[], input: BudgetInput): Promise<Budget | null>;
  remove(accounts: readonly string[], id: string): Promise<boolean>;
}

/** The events of an account, and those of all accounts. `accounts` is always the account's names under all keys. */
export interface AccountEvents {
  page(accounts: readonly string[], state: EventState | null, request: PageRequest): Promise<EventPage>;
  /**
   * Lets an event be sent again, with the same ID and data. Returns null if the account has no such event. Events of all accounts are only sent
   * if `includesShared` is true.
   */
  resend(accounts: readonly string[], id: string, includesShared: boolean): Promise<DeliveredEvent | null>;
}

export interface CallerLedger {
  readonly reader: LedgerReader;
  readonly budgets: AccountBudgets;
  /** The events. Null without a receiver: padron then only logs them. */
  readonly events: AccountEvents | null;
  readonly trail: CallerTrail;
  readonly accounts: readonly string[];
  /** The client that the caller's JWT names. Null without a JWT, or if the JWT names no client. */
  readonly client: string | null;
  /** Address that links to padron begin with. Null if it is unknown. */
  readonly linkBase: string | null;
  /**
   * Checks the caller's token with the service. Returns null if the service accepts it, or a problem if the check is not possible now.
   * Throws if the service rejects the token.
   */
  verifyAccount(): Promise<Problem | null>;
  /**
   * Returns an entry, or null if it does not exist or is not visible. Entries that are requested in the same
   * turn of the event loop are read together. Every call of one request passes the same view.
   */
  load(view: LedgerView, id: string): Promise<LedgerEntry | null>;
  loadBudgets(): Promise<readonly Budget[]>;
}
