import type { EnvReader } from './env-reader';

/** How operations run over datasets. */
export interface BatchSettings {
  /** Rows of one dataset. */
  readonly maxRows: number;
  /** Questions of one batch that are under way at once in this process. */
  readonly concurrency: number;
  readonly retentionDays: number;
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
    endpoints: read.oneOf('BATCH_ENDPOINTS', ['allowed', 'any'], 'allowed'),
    tokens: read.oneOf('BATCH_TOKENS', ['memory', 'sealed'], 'memory'),
    role: read.oneOf('ROLE', ['all', 'graph', 'worker'], 'all'),
  };
}
