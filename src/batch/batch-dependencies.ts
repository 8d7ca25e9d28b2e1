import type { AccountNames } from '../ledger/account-names';
import type { SubjectIndex } from '../ledger/subject-index';
import type { KeyRing } from '../store/key-ring';
import type { SealedLinks } from '../store/sealed-links';
import type { Store } from '../store/store';
import type { KnownAccounts } from './known-accounts';
import type { OperationReader } from './operation';
import type { BatchWorker } from './run/batch-worker';
import type { TokenStore } from './run/token-store';
import type { BatchQuotas } from './storage/quotas';

export interface BatchDependencies {
  readonly store: Store;
  readonly ring: KeyRing;
  readonly accounts: AccountNames;
  readonly subjects: SubjectIndex;
  readonly worker: BatchWorker;
  readonly tokens: TokenStore;
  readonly operations: OperationReader;
  readonly links: SealedLinks;
  readonly knownAccounts: KnownAccounts;
  readonly quotas: BatchQuotas;
  /** Returns the scope of an endpoint by its name, or null if this version has no such endpoint. */
  readonly scopeOf: (route: string | null) => string | null;
  /** Time zone of the times in tables of results. */
  readonly timeZone: string;
  readonly maxRows: number;
  /** Tags that callers may use. If null, a tag may have three digits at most. */
  readonly tagPattern: RegExp | null;
  /** Days that a batch is kept after its end. A caller can ask for fewer. */
  readonly retentionDays: number;
}
