import type { Billing, Evidence, Outcome } from '../../registry/answer/answer';
import type { Problem, ProblemCode } from '../../registry/answer/problem';
import type { Subject } from '../../registry/endpoint/endpoint';
import type { RequestTrail } from '../audit/audit-record';
import type { Budget, BudgetInput } from '../budgets/budget';

/**
 * The entries that a request may see. An account has a name under each key. A client limits the view to its own
 * entries.
 */
export interface LedgerView {
  readonly accounts: readonly string[];
  /** Null for all clients. */
  readonly client: string | null;
}

/** A call to the service, or a shared answer. */
export interface LedgerEntry {
  readonly id: string;
  readonly at: Date;
  readonly client: string | null;
  readonly tag: string | null;
  readonly operation: string | null;
  readonly requestId: string | null;
  readonly batch: string | null;
  readonly outcome: Outcome;
  /** The first of the answer's; null where there was none. */
  readonly problem: ProblemCode | null;
  readonly evidence: Evidence;
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

/** The interval includes its start and excludes its end. */
export interface LedgerFilter {
  readonly from: Date | null;
  readonly to: Date | null;
  readonly client: string | null;
  readonly tag: string | null;
  readonly operation: string | null;
  readonly endpoint: string | null;
  readonly batch: string | null;
  readonly billing: Billing | null;
  /** Whether the billing is UNKNOWN and not settled. */
  readonly unsettled: boolean | null;
}

/** Which entries are asked for: those of a filter, or those linked to one of the identifiers. */
export type LedgerQuery = { readonly filter: LedgerFilter } | { readonly subjects: readonly Subject[] };

/** Newest first, after the entry that a cursor names. */
export interface PageRequest {
  readonly first: number;
  readonly after: string | null;
}

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  /** Cursor of the next page. Null on the last page. */
  readonly next: string | null;
}

export const spendKeys = ['DAY', 'MONTH', 'CLIENT', 'TAG', 'OPERATION', 'ENDPOINT', 'BATCH'] as const;
export type SpendKey = (typeof spendKeys)[number];

export interface Spend {
  readonly day: string | null;
  readonly month: string | null;
  readonly client: string | null;
  readonly tag: string | null;
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

/** A cursor that none of our pages gave. */
export class InvalidCursorError extends Error {
  override readonly name = 'InvalidCursor';
}

/** An error for sums by keys with too many combinations. */
export class TooManySumsError extends Error {
  override readonly name = 'TooManySums';

  constructor(readonly max: number) {
    super(`More than ${max} sums.`);
  }
}

/** Another budget is for the same client, tag and period. */
export class BudgetTakenError extends Error {
  override readonly name = 'BudgetTaken';
}

/** The ledger as the graph reads it. */
export interface LedgerReader {
  page(view: LedgerView, query: LedgerQuery, request: PageRequest): Promise<LedgerPage>;
  spend(view: LedgerView, filter: LedgerFilter, keys: readonly SpendKey[]): Promise<readonly Spend[]>;
  /** Returns the entries in any order. Unknown and invisible entries are left out. */
  find(view: LedgerView, ids: readonly string[]): Promise<readonly LedgerEntry[]>;
  /**
   * Settles all calls or none. Returns the IDs that are not UNKNOWN calls of the view. If there are any, nothing is
   * settled.
   */
  settle(view: LedgerView, settlements: readonly SettlementInput[]): Promise<readonly string[]>;
  /** Forgets the links of entries to the person or employer; gives how many entries were linked. */
  eraseSubject(view: LedgerView, subjects: readonly Subject[]): Promise<number>;
  /** The path and query of a file with all entries of a query, for some minutes. */
  csvLink(view: LedgerView, query: LedgerQuery): string;
}

/** The budgets over time of accounts, each by the names that it has. */
export interface BudgetAccounts {
  list(accounts: readonly string[]): Promise<readonly Budget[]>;
  /** Returns null if the ID is not a budget of the account. */
  set(accounts: readonly string[], input: BudgetInput): Promise<Budget | null>;
  /** False where there was none. */
  remove(accounts: readonly string[], id: string): Promise<boolean>;
}

/** The ledger as one request has it: who asks, and where its links lead. */
export interface RequestLedger {
  readonly reader: LedgerReader;
  readonly budgets: BudgetAccounts;
  /** The audit trail of the caller's account. */
  readonly trail: RequestTrail;
  /** The names of the caller's account, by every key that there was. */
  readonly accounts: readonly string[];
  /** The name by which the caller's JWT or its headers call it. */
  readonly client: string | null;
  /** Beginning of links. Null if the address of padron is unknown. */
  readonly linkBase: string | null;
  /** Returns null if the service accepts the caller's token, or why that cannot be known now. Throws if the service refuses it. */
  verifyAccount(): Promise<Problem | null>;
  /**
   * Returns an entry, or null if it does not exist or is not visible. Entries requested in the same turn are read
   * together. A request has one view.
   */
  load(view: LedgerView, id: string): Promise<LedgerEntry | null>;
  /** Read once in a request. */
  loadBudgets(): Promise<readonly Budget[]>;
}
