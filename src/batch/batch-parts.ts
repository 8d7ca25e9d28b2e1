import type { AccountNames } from '../ledger/account-names';
import type { SubjectIndex } from '../ledger/subject-index';
import type { KeyRing } from '../store/key-ring';
import type { Store } from '../store/store';
import type { OperationReader } from './batch';
import type { BatchWorker } from './run/batch-worker';
import type { TokenVault } from './run/token-vault';
import type { SignedPaths } from './signed-paths';

/** What batches are kept, sealed and run with. */
export interface BatchParts {
  readonly store: Store;
  readonly ring: KeyRing;
  readonly accounts: AccountNames;
  readonly subjects: SubjectIndex;
  readonly worker: BatchWorker;
  readonly vault: TokenVault;
  readonly operations: OperationReader;
  readonly paths: SignedPaths;
  readonly maxRows: number;
  readonly retentionDays: number;
}
