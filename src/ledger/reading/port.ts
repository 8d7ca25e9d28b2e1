import type { Billing, Evidence, Outcome } from '../../registry/answer/answer';
import type { Problem, ProblemCode } from '../../registry/answer/problem';
import type { Subject } from '../../registry/endpoint/endpoint';
import type { RequestTrail } from '../audit/audit-record';
import type { Budget, BudgetInput } from '../budgets/budget';

/** Whose entries a request may see. An account that changed keys has a name under each; a client limits it to its own entries. */
export interface LedgerView {
  readonly accounts: readonly string[];
  /** Null: every client's. */
  readonly client: string | null;
}

/** One call to the service, or an answer that was shared. */
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

/** What the service's statement says of a call whose billing was not known. */
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
  /** Whether the billing is UNKNOWN and nobody has settled it. */
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
  /** Where the next page begins; null on the last one. */
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

/** A sum by so many keys that nobody reads it. */
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
  /** In no order; what is not there, or not to be seen, is left out. */
  find(view: LedgerView, ids: readonly string[]): Promise<readonly LedgerEntry[]>;
  /** All or none. Gives the ids that are no entry of the view, or none whose billing is UNKNOWN: then nothing was settled. */
  settle(view: LedgerView, settlements: readonly SettlementInput[]): Promise<readonly string[]>;
  /** Forgets the links of entries to the person or employer; gives how many entries were linked. */
  eraseSubject(view: LedgerView, subjects: readonly Subject[]): Promise<number>;
  /** The path and query of a file with all entries of a query, for some minutes. */
  csvLink(view: LedgerView, query: LedgerQuery): string;
}

/** The budgets over time of accounts, each by the names that it has. */
export interface BudgetAccounts {
  list(accounts: readonly string[]): Promise<readonly Budget[]>;
  /** Null where the id is none of the account's. */
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
  /** What links begin with; null where nobody can say by which address the caller reached padron. */
  readonly linkBase: string | null;
  /** Returns null if the service accepts the caller's token, or why that cannot be known now. Throws if the service refuses it. */
  verifyAccount(): Promise<Problem | null>;
  /** Null where it is not there, or not to be seen; those of one turn are read together. A request has one view. */
  load(view: LedgerView, id: string): Promise<LedgerEntry | null>;
  /** Read once in a request. */
  loadBudgets(): Promise<readonly Budget[]>;
}
