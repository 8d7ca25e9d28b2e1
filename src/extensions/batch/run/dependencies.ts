import type { Calls } from '../../../money/calls/calls';
import type { AuditTrail } from '../../../money/ledger/audit/audit-trail';
import type { SubjectIndex } from '../../../money/ledger/entries/subject-index';
import type { Problem, ProblemCode } from '../../../registry/answer/problem';
import type { RegistryClient } from '../../../registry/client/client';
import type { AnyEndpoint, RegistryName, Subject } from '../../../registry/endpoint/endpoint';
import type { KeyRing } from '../../../store/key-ring';
import type { Store } from '../../../store/store';
import type { ActiveBatch, RowState } from '../batch';
import type { OperationReader } from '../operation';

export interface RowServices {
  readonly observer: BatchObserver;
  /** Number of answers from each registry. A failure that may have been charged is not an answer. */
  readonly answerCounts: Map<RegistryName, number>;
  endpointOf(address: string): AnyEndpoint;
  hashOf(subject: Subject): string;
}

/** Reason why a row is interrupted. Its result is discarded, and the row runs again. */
export type Interruption =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'pause'; readonly problem: Problem }
  | { readonly kind: 'delay'; readonly code: ProblemCode; readonly retryAfter: number | null };

/** A temporary failure that remained after all tries of a row, and its registry. */
export interface LastingFailure {
  readonly problem: Problem;
  readonly registry: RegistryName;
}

export interface BatchObserver {
  recordRow(state: RowState): void;
  recordUnits(endpoint: string, units: number, uncertain: number): void;
  setBatches(batches: readonly ActiveBatch[]): void;
}

export interface WorkerDependencies {
  readonly processName: string;
  readonly store: Store;
  readonly ring: KeyRing;
  readonly client: RegistryClient;
  readonly calls: Calls;
  readonly operations: OperationReader;
  readonly serverToken: string | null;
  /** Maximum concurrent calls of one batch in this process. It changes when another process starts or ends. */
  readonly concurrency: () => number;
  readonly anyEndpoint: boolean;
  /** `MAX_UNITS` of this process: the maximum units of each row that it runs. Null if it is not set. */
  readonly maxUnits: number | null;
  readonly subjects: SubjectIndex;
  /** Records prices that show what other clients have asked. Null without a ledger. */
  readonly trail: AuditTrail | null;
  /** Returns an endpoint by the address in its evidence. */
  readonly endpointOf: (address: string) => AnyEndpoint;
  /** Whether this process runs batches. Otherwise it only prices them and serves the graph. */
  readonly runsBatches: boolean;
  readonly observer: BatchObserver;
  readonly onError: (error: unknown) => void;
}
