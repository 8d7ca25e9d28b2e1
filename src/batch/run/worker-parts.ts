import type { SubjectIndex } from '../../ledger/subject-index';
import type { CallLedger } from '../../registry/call-ledger';
import { accountId, type Caller } from '../../registry/caller';
import type { RegistryClient, RequestScope } from '../../registry/client/client';
import type { KeyRing } from '../../store/key-ring';
import type { Store } from '../../store/store';
import type { Batch, OperationReader } from '../batch';
import type { TokenVault } from './token-vault';

/** What a worker works with, and how. */
export interface WorkerParts {
  readonly store: Store;
  readonly ring: KeyRing;
  readonly client: RegistryClient;
  readonly operations: OperationReader;
  readonly vault: TokenVault;
  readonly serverToken: string | null;
  /** Questions of one batch that this process has under way at once. */
  readonly concurrency: number;
  readonly anyEndpoint: boolean;
  readonly subjects: SubjectIndex;
  /** False: this process only serves the graph, and tells the price. */
  readonly runsBatches: boolean;
  /** For one question: what it remembers of people goes with it. */
  readonly ledgerOf: (batch: Batch, caller: Caller) => CallLedger | null;
  readonly onFault: (error: unknown) => void;
}

/** On whose behalf a batch asks; without a token it can only be priced. */
export function scopeOf(batch: Batch, token: string | null, signal: AbortSignal): RequestScope {
  const { sandbox, usesServerToken } = batch;
  const permissions = batch.permissions === null ? null : new Set(batch.permissions);
  const caller = { bearer: token, account: accountId(token), sandbox, usesServerToken, permissions };
  return { caller, request: { batch: batch.id }, signal };
}
