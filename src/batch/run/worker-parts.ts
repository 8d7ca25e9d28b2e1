import type { SubjectIndex } from '../../ledger/subject-index';
import { accountId, type Caller } from '../../registry/caller';
import type { RegistryClient, RequestScope } from '../../registry/client/client';
import type { CallLedger } from '../../registry/questions/call-ledger';
import type { Replay } from '../../registry/questions/live-data-source';
import type { KeyRing } from '../../store/key-ring';
import type { Store } from '../../store/store';
import type { Batch, BatchState, OperationReader, RowState } from '../batch';
import type { TokenVault } from './token-vault';

/** An unfinished batch, as operators see it. */
export interface BatchStanding {
  readonly id: string;
  readonly state: BatchState;
  readonly reason: string | null;
}

/** Hears what becomes of batches, for figures. */
export interface BatchObserver {
  recordRow(state: RowState): void;
  recordUnits(endpoint: string, units: number, uncertain: number): void;
  /** All of the store that wait for a price, run or are paused. */
  setBatches(standing: readonly BatchStanding[]): void;
}

/** Dependencies of a worker. */
export interface WorkerParts {
  readonly store: Store;
  readonly ring: KeyRing;
  readonly client: RegistryClient;
  /** The answers that requests share, and the calls of this process that are under way. */
  readonly replay: Replay;
  readonly operations: OperationReader;
  readonly vault: TokenVault;
  readonly serverToken: string | null;
  /** Questions of one batch that this process has under way at once. */
  readonly concurrency: number;
  readonly anyEndpoint: boolean;
  /** `MAX_UNITS` of this process: no row that it runs may cost more; null without it. */
  readonly maxUnits: number | null;
  readonly subjects: SubjectIndex;
  /** False: this process only serves the graph, and tells the price. */
  readonly runsBatches: boolean;
  /** Returns the ledger of one run of a batch. Null if none is kept. */
  readonly ledgerOf: (batch: Batch, caller: Caller) => CallLedger | null;
  readonly observer: BatchObserver;
  readonly onFault: (error: unknown) => void;
}

/** Returns the scope of a batch's calls. Without a token the batch can only be priced. */
export function scopeOf(batch: Batch, token: string | null, signal: AbortSignal): RequestScope {
  const { sandbox, usesServerToken } = batch;
  const permissions = batch.permissions === null ? null : new Set(batch.permissions);
  const caller = { bearer: token, account: accountId(token), sandbox, usesServerToken, permissions };
  return { caller, request: { batch: batch.id }, signal };
}
