import type { AccountNames } from '../ledger/account-names';
import type { Problem } from '../registry/answer/problem';
import type { Caller } from '../registry/caller';
import type { Subject } from '../registry/endpoint/endpoint';
import type { SealedLinks } from '../store/sealed-links';
import type { Language } from '../text/text';
import type { Batch, BatchHeader, BatchState, ColumnChoices, RefusedRow, RetryScope, RowState } from './batch';
import type { BatchLinks } from './batch-access';
import type { KnownAccounts } from './known-accounts';
import type { BatchWorker } from './run/batch-worker';
import type { WorkerDependencies } from './run/dependencies';
import type { BatchQuotas } from './storage/quotas';
import type { BatchRow } from './storage/row-store';

export interface BatchDependencies
  extends Pick<WorkerDependencies, 'store' | 'ring' | 'subjects' | 'operations' | 'tokens'> {
  readonly accounts: AccountNames;
  readonly worker: BatchWorker;
  readonly links: SealedLinks;
  readonly knownAccounts: KnownAccounts;
  readonly quotas: BatchQuotas;
  /** Returns the scope of an endpoint by its name, or null if this version has no such endpoint. */
  readonly scopeOf: (route: string | null) => string | null;
  readonly timeZone: string;
  readonly maxRows: number;
  /** Tags that callers may use. If null, a tag may have three digits at most. */
  readonly tagPattern: RegExp | null;
  readonly retentionDays: number;
}

export interface BatchInput {
  readonly name: string | null;
  readonly key: string | null;
  readonly operation: string;
  readonly operationName: string | null;
  readonly rows: readonly unknown[] | null;
  readonly retentionDays: number | null;
  readonly tag: string | null;
  readonly choices: ColumnChoices;
}

/** A batch and its decrypted header. The header is null if the batch is erased or its key is no longer available. */
export interface BatchView {
  readonly batch: Batch;
  readonly header: BatchHeader | null;
}

export interface RowPage {
  readonly rows: readonly BatchRow[];
  /** Number of the last row of this page, if there is a next page. Otherwise null. */
  readonly next: number | null;
}

export interface RowBytes {
  readonly allowed: number;
  left: number;
}

export interface BatchChange {
  readonly view: BatchView | null;
  readonly problems: readonly Problem[];
}

export interface CallerBatches {
  /**
   * The scope that the caller needs to use batches, or null if it may use them. A JWT that names no client needs a scope,
   * because a batch belongs to a client.
   */
  readonly missingScope: string | null;
  /** Returns why this caller cannot create a batch from this input, or null if it can. Throws if the service rejects the caller's token. */
  findProblem(input: BatchInput): Promise<Problem | null>;
  create(input: BatchInput): Promise<BatchChange>;
  start(id: string, maxUnits: number): Promise<BatchChange>;
  pause(id: string): Promise<BatchChange>;
  resume(id: string, maxUnits: number | null): Promise<BatchChange>;
  cancel(id: string): Promise<BatchChange>;
  retry(id: string, scope: RetryScope, maxUnits: number): Promise<BatchChange>;
  erase(id: string): Promise<BatchChange>;
  eraseSubject(subjects: readonly Subject[]): Promise<number>;
  get(id: string): Promise<BatchView | null>;
  /** Returns why this caller cannot start a batch although it is READY. Returns null if it can, and in every other state. */
  findStartProblem(view: BatchView): Problem | null;
  scopeFor(view: BatchView): 'padron_batch' | 'padron_batches_all';
  list(state: BatchState | null, count: number, after: string | null): Promise<readonly BatchView[]>;
  /** Returns a page of rows, or null if the response may not contain another row. */
  rows(view: BatchView, state: RowState | null, count: number, after: number): Promise<RowPage | null>;
  refusedRows(view: BatchView): readonly RefusedRow[];
  links(id: string): BatchLinks | null;
}

export interface BatchRequest {
  readonly caller: Caller;
  readonly language: Language;
  readonly client: string | null;
  readonly tag: string | null;
  readonly rowUnits: number | null;
  readonly rowBytes: RowBytes;
  readonly origin: string | null;
}

export interface Batches {
  of(request: BatchRequest): CallerBatches;
}
