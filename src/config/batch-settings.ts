import type { EnvReader } from './env-reader';

/** Limits of what batches keep. */
export interface BatchSizeLimits {
  readonly batches: number;
  readonly rows: number;
  /** Bytes of their rows, as they are stored; what was answered comes on top. */
  readonly bytes: number;
}

/** How operations run over datasets. */
export interface BatchSettings {
  /** Rows of one dataset. */
  readonly maxRows: number;
  /** Questions of one batch that are under way at once in this process. */
  readonly concurrency: number;
  /** Days after its end that a batch is kept at most. */
  readonly retentionDays: number;
  /** Quota of one account, or of one client with a JWT. */
  readonly account: BatchSizeLimits;
  /** Quota of all batches together. */
  readonly total: BatchSizeLimits;
  /** `any`: also endpoints that the interface bars from batches. */
  readonly endpoints: 'allowed' | 'any';
  /** Where callers' tokens are kept while their batches run. */
  readonly tokens: 'memory' | 'sealed';
  /** What this process does: serve the graph, run batches, or both. */
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
