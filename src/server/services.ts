import type { Config } from '../config/settings';
import type { AccountBatches } from '../extensions/batch/account-batches';
import type { BatchFiles } from '../extensions/batch/batch-files';
import type { BatchRequest } from '../extensions/batch/batches';
import type { PdfTextReader } from '../graph/core/files/pdf-text-reader';
import type { OperationLimiter } from '../graph/core/operations/operation-limits';
import type { Graph } from '../graph/schema/build-schema';
import type { AuditTrail } from '../money/audit/audit-trail';
import type { StoredBudgets } from '../money/budgets/stored-budgets';
import type { Calls } from '../money/calls/calls';
import type { AccountNames } from '../money/entries/account-names';
import type { EventStore } from '../money/events/event-store';
import type { ResultStore } from '../money/idempotency/request-results';
import type { CsvExport } from '../money/reading/csv-export';
import type { LedgerReader } from '../money/reading/ledger-reader';
import type { SharedNames } from '../money/store/shared-names';
import type { OperationBudgets } from '../money/units/operation-budgets';
import type { RegistryClient } from '../registry/client/client';
import type { SignedLinkClient } from '../registry/signed-links';
import type { SealedLinks } from '../store/sealed-links';
import type { OperationGate } from './apollo/operation-gate';
import type { KnownAccounts } from './auth/known-accounts';
import type { ErrorFormatter } from './errors/error-formatter';
import type { ErrorReference } from './http/error-reference';
import type { Logger } from './telemetry/logger';
import type { Metrics } from './telemetry/metrics';

/** The ledger of a process, as it is read. `Calls` records the entries. */
export interface RunningLedger {
  readonly accounts: AccountNames;
  readonly reader: LedgerReader;
  readonly budgets: StoredBudgets;
  readonly events: EventStore;
  readonly csv: CsvExport;
  readonly trail: AuditTrail;
  close(): Promise<void>;
}

export interface RunningBatches {
  of(request: BatchRequest): AccountBatches;
  readonly files: BatchFiles;
  readonly links: SealedLinks;
  stop(): Promise<void>;
}

export interface CoreServices {
  readonly config: Config;
  readonly log: Logger;
  readonly now: () => Date;
  readonly serviceUrl: string;
  readonly client: RegistryClient;
  readonly metrics: Metrics;
}

export interface SharedServices extends CoreServices {
  readonly calls: Calls;
  /** The results of requests with an idempotency key, and the names under which they are kept. */
  readonly requests: { readonly names: SharedNames; readonly results: ResultStore };
  readonly ledger: RunningLedger | null;
  readonly links: SignedLinkClient;
  readonly pdfText: PdfTextReader;
  readonly graph: Graph;
  readonly limiter: OperationLimiter;
  readonly operations: OperationBudgets;
  readonly gate: OperationGate;
  readonly errorReference: ErrorReference;
  readonly errors: ErrorFormatter;
  readonly knownAccounts: KnownAccounts;
}

export interface Services extends SharedServices {
  /** The batches, or null if padron has no store. */
  readonly batches: RunningBatches | null;
}
