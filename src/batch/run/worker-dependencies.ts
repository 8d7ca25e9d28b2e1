import type { SubjectIndex } from '../../ledger/subject-index';
import type { Caller } from '../../registry/caller';
import type { RegistryClient } from '../../registry/client/client';
import type { CallLedger } from '../../registry/questions/call-ledger';
import type { Replay } from '../../registry/questions/live-data-source';
import type { KeyRing } from '../../store/key-ring';
import type { Store } from '../../store/store';
import type { ActiveBatch, Batch, RowState } from '../batch';
import type { OperationReader } from '../operation';
import type { TokenStore } from './token-store';

/** Receives the progress of batches, for metrics. */
export interface BatchObserver {
  recordRow(state: RowState): void;
  recordUnits(endpoint: string, units: number, uncertain: number): void;
  /** Receives all batches of the store that are being priced, running or paused. */
  setBatches(batches: readonly ActiveBatch[]): void;
}

export interface WorkerDependencies {
  readonly store: Store;
  readonly ring: KeyRing;
  readonly client: RegistryClient;
  /** The answers that requests share, and the running calls of this process. */
  readonly replay: Replay;
  readonly operations: OperationReader;
  readonly tokens: TokenStore;
  readonly serverToken: string | null;
  /** Maximum concurrent calls of one batch in this process. */
  readonly concurrency: number;
  /** Whether batches may call endpoints that the service does not allow in batches. */
  readonly anyEndpoint: boolean;
  /** `MAX_UNITS` of this process: the maximum units of each row that it runs. Null if it is not set. */
  readonly maxUnits: number | null;
  readonly subjects: SubjectIndex;
  /** Whether this process runs batches. Otherwise it only prices them and serves the graph. */
  readonly runsBatches: boolean;
  /** Returns the ledger of one run of a batch, or null if the ledger is off. */
  readonly ledgerOf: (batch: Batch, caller: Caller) => CallLedger | null;
  readonly observer: BatchObserver;
  readonly onError: (error: unknown) => void;
}
