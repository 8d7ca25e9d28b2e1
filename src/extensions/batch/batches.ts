import type { Language, Text } from '../../identifiers/text';
import type { AccountNames } from '../../money/ledger/entries/account-names';
import type { Problem } from '../../registry/answer/problem';
import type { Caller, CallLabels, PurposeRules } from '../../registry/caller';
import type { SealedLinks } from '../../store/sealed-box';
import type { Batch, BatchHeader, ColumnChoices } from './batch';
import type { BatchWorker } from './run/batch-worker';
import type { WorkerDependencies } from './run/dependencies';
import type { BatchQuotas } from './storage/quotas';
import type { BatchRow } from './storage/row-store';

export interface BatchDependencies extends Pick<WorkerDependencies, 'store' | 'ring' | 'subjects' | 'operations'> {
  readonly accounts: AccountNames;
  readonly worker: BatchWorker;
  readonly links: SealedLinks;
  /** Returns null if the service accepts the caller's token, or a problem if padron cannot find out now. */
  readonly knownAccounts: { verify(caller: Caller): Promise<Problem | null> };
  readonly quotas: BatchQuotas;
  /** Returns the scope of an endpoint by its name, or null if this version has no such endpoint. */
  readonly scopeOf: (route: string | null) => string | null;
  readonly timeZone: string;
  readonly maxRows: number;
  /** Tags that callers may use. If null, a tag may have three digits at most. */
  readonly tagPattern: RegExp | null;
  readonly purposes: PurposeRules;
  readonly retentionDays: number;
  readonly readMaxAge: (text: string) => number | Text;
}

export interface BatchInput {
  readonly name: string | null;
  readonly key: string | null;
  readonly operation: string;
  readonly operationName: string | null;
  readonly rows: readonly unknown[] | null;
  readonly retentionDays: number | null;
  readonly tag: string | null;
  readonly purpose: string | null;
  readonly maxAge: string | null;
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

export interface BatchRequest extends CallLabels {
  readonly caller: Caller;
  readonly language: Language;
  readonly rowUnits: number | null;
  readonly rowBytes: RowBytes;
  readonly origin: string | null;
  /** IDs of the batches that the response may show, as `CallerRequest` describes. */
  readonly shownOperations: Set<string>;
}
