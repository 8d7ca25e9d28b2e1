import type { SubjectKind } from '../../../registry/endpoint/endpoint';
import type { BudgetPeriod } from '../entries/period';

export const auditActions = [
  'SET_BUDGET',
  'REMOVE_BUDGET',
  'SETTLE_BILLING',
  'SEARCH_PROOFS',
  'MAKE_PROOF',
  'ERASE_SUBJECT',
  'CREATE_BATCH',
  'START_BATCH',
  'PAUSE_BATCH',
  'RESUME_BATCH',
  'RETRY_BATCH',
  'CANCEL_BATCH',
  'ERASE_BATCH',
  'READ_RESULTS',
  'RESEND_EVENT',
  'END_OPERATION',
  'PRICE_KEPT_ANSWERS',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** Result of an action. UNFINISHED: padron recorded the action and then could not record its result. */
export type AuditOutcome = 'DONE' | 'REFUSED' | 'UNFINISHED';

/** Parameters and counts of an action. None of them is, or is derived from, an identifier of a person. */
export interface AuditDetails {
  readonly batch?: string;
  readonly budget?: string;
  readonly budgetClient?: string | null;
  readonly budgetTag?: string | null;
  readonly budgetPeriod?: BudgetPeriod;
  readonly units?: number | null;
  readonly entries?: number;
  readonly rows?: number;
  readonly retried?: 'FAILED' | 'UNKNOWN';
  readonly identifiers?: readonly (SubjectKind | 'reference' | 'actor')[];
  readonly keysNotSearched?: readonly string[];
  readonly event?: string;
  readonly problem?: string;
}

export interface AuditRecord {
  readonly id: string;
  readonly at: Date;
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  readonly client: string | null;
  /** The scope that allowed the action; null if the caller sent no JWT. */
  readonly scope: string | null;
  readonly requestId: string;
  readonly details: AuditDetails;
}

/** ID and time of a record, which the caller can keep as proof. */
export type AuditReceipt = Pick<AuditRecord, 'id' | 'at'>;

/** Filter for audit records. The interval includes `from` and excludes `to`. */
export interface AuditFilter {
  readonly from: Date | null;
  readonly to: Date | null;
  readonly action: AuditAction | null;
  readonly client: string | null;
  /** Hashes of the person who acted, under all keys. */
  readonly actor: readonly string[] | null;
  readonly batch: string | null;
  readonly id: string | null;
}

export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** Cursor of the next page. Null on the last page. */
  readonly next: string | null;
}

export interface AuditActor {
  readonly accounts: readonly string[];
  readonly logAccount: string;
  readonly client: string | null;
  /** Keyed hash of the person that the JWT names beside the client, or null. */
  readonly actor: string | null;
  readonly requestId: string;
}

export interface AuditedAction {
  readonly action: AuditAction;
  readonly scope: string | null;
  readonly details: AuditDetails;
}

export interface AuditResult {
  readonly outcome: AuditOutcome;
  readonly details: AuditDetails;
}

export interface CallerTrail {
  /**
   * Records a change, makes it, and then records its result. If the record cannot be written, the change is not made. If the result
   * cannot be written, the record stays UNFINISHED and the promise rejects.
   */
  around<Result>(
    action: AuditedAction,
    change: (receipt: AuditReceipt) => Promise<Result>,
    describe: (settled: PromiseSettledResult<Result>) => AuditResult,
  ): Promise<Result>;
  /** Records an action that only reads, before the answer is returned. A request records one action of each `kind`. */
  add(action: AuditedAction, kind?: string): Promise<void>;
  /** Records a price once a day for the client and the person who asks, if another client has paid for one of these entries of kept answers. */
  addPrice(entries: readonly string[]): Promise<void>;
  page(filter: AuditFilter, request: { readonly first: number; readonly after: string | null }): Promise<AuditPage>;
}
