import type { Billing, Evidence, Outcome } from '../../../registry/answer/answer';
import type { Subject } from '../../../registry/endpoint/endpoint';
import type { SavingKind } from './entry-json';

export interface LedgerView {
  readonly accounts: readonly string[];
  /** The client whose entries are visible. Null for all clients. */
  readonly client: string | null;
  /** Whether blocked links are visible, too. */
  readonly seesBlocked?: boolean;
}

/** The reason why links of an erased person are kept, and when they are deleted. */
export interface Blocking {
  readonly purpose: string;
  readonly months: number;
  readonly until: Date;
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
  /** Code of the first problem of the answer, or null without a problem. A newer version may have stored a code that this one does not know. */
  readonly problem: string | null;
  readonly evidence: Evidence;
  /** Units charged. For a settled call, the units of its settlement. */
  readonly units: number;
  readonly uncertainUnits: number;
  readonly savedUnits: number;
  readonly saving: SavingKind | null;
  readonly settlement: Settlement | null;
  /** State of the blocked links. Null if there are none, or if the view does not show them. */
  readonly blocked: Blocking | null;
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

export const spendKeys = [
  'DAY',
  'MONTH',
  'CLIENT',
  'TAG',
  'PURPOSE',
  'OPERATION',
  'ENDPOINT',
  'OUTCOME',
  'BATCH',
  'SAVING',
] as const;
export type SpendKey = (typeof spendKeys)[number];

/** A sum of entries, with the values of its keys. A key by which it is not summed is null. */
export interface Spend extends Readonly<Record<Lowercase<SpendKey>, string | null>> {
  readonly calls: number;
  readonly units: number;
  readonly uncertainUnits: number;
  readonly savedUnits: number;
  /** Calls and whole operations that a budget or a limit refused. Null if they cannot be summed by these keys and this filter. */
  readonly refusedCalls: number | null;
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
