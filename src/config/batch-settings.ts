import type { EnvReader } from './env-reader';

/** Storage limits of batches. */
export interface BatchSizeLimits {
  readonly batches: number;
  readonly rows: number;
  /** Bytes of the stored rows. Stored answers are not counted. */
  readonly bytes: number;
}

/** Settings of batches: operations that run over datasets. */
export interface BatchSettings {
  /** Maximum number of rows in one dataset. */
  readonly maxRows: number;
  /** Maximum number of concurrent calls of one batch in this process. */
  readonly concurrency: number;
  /** Maximum number of days that a batch is kept after its end. */
  readonly retentionDays: number;
  /** Quota of one account, or of one client with a JWT. */
  readonly account: BatchSizeLimits;
  /** Quota shared by all batches. */
  readonly total: BatchSizeLimits;
  /** Endpoints that a batch may call. `any` includes those that the service's interface excludes from batches. */
  readonly endpoints: 'allowed' | 'any';
  /** Storage of the callers' tokens while their batches run. */
  readonly tokens: 'memory' | 'sealed';
  /** Tasks of this process: serving the graph, running batches, or both. */
  readonly role: 'all' | 'graph' | 'worker';
}

export function readBatchSettings(read: EnvReader, registryConcurrency: number): BatchSettings {
  return {
    maxRows: read.integer('BATCH_MAX_ROWS', 100_000, 1, 1_000_000),
    concurrency: read.integer('BATCH_CONCURRENCY', registryConcurrency, 1, 100_000),
    retentionDays: read.integer('BATCH_RETENTION_DAYS', 7, 1, 365),
    account: {
      batches: read.integer('BATCH_ACCOUNT_BATCHES', 1_000, 1, 1_000_000),
      rows: read.integer('BATCH_ACCOUNT_ROWS', 1_000_000, 1, 1_000_000_000),
      bytes: read.integer('BATCH_ACCOUNT_BYTES', 1_000_000_000, 1, 1_000_000_000_000),
    },
    total: {
      batches: read.integer('BATCH_TOTAL_BATCHES', 10_000, 1, 1_000_000),
      rows: read.integer('BATCH_TOTAL_ROWS', 5_000_000, 1, 1_000_000_000),
      bytes: read.integer('BATCH_TOTAL_BYTES', 5_000_000_000, 1, 1_000_000_000_000),
    },
    endpoints: read.oneOf('BATCH_ENDPOINTS', ['allowed', 'any'], 'allowed'),
    tokens: read.oneOf('BATCH_TOKENS', ['memory', 'sealed'], 'memory'),
    role: read.oneOf('ROLE', ['all', 'graph', 'worker'], 'all'),
  };
}
