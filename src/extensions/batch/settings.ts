import * as kinds from '../../config/setting-values';
import { type Config, Setting, settingsOf } from '../../config/settings';

export const batchSettings = {
  name: 'batch',
  settings: {
    maxRows: new Setting('BATCH_MAX_ROWS', kinds.integer(100_000, 1, 1_000_000)),
    /** Concurrent calls of one batch in this process. */
    concurrency: new Setting('BATCH_CONCURRENCY', kinds.optionalInteger(1, 100_000)),
    /** Quota of one account, or of one client with a JWT. Stored answers do not count in `bytes`. */
    account: {
      batches: new Setting('BATCH_ACCOUNT_BATCHES', kinds.integer(1_000, 1, 1_000_000)),
      rows: new Setting('BATCH_ACCOUNT_ROWS', kinds.integer(1_000_000, 1, 1_000_000_000)),
      bytes: new Setting('BATCH_ACCOUNT_BYTES', kinds.integer(1_000_000_000, 1, 1_000_000_000_000)),
    },
    total: {
      batches: new Setting('BATCH_TOTAL_BATCHES', kinds.integer(10_000, 1, 1_000_000)),
      rows: new Setting('BATCH_TOTAL_ROWS', kinds.integer(5_000_000, 1, 1_000_000_000)),
      bytes: new Setting('BATCH_TOTAL_BYTES', kinds.integer(5_000_000_000, 1, 1_000_000_000_000)),
    },
    /** `any` includes the endpoints that the service's interface excludes from batches. */
    endpoints: new Setting('BATCH_ENDPOINTS', kinds.oneOf('allowed', 'any').default('allowed')),
    /** Tasks of this process: serving the graph, running batches, or both. */
    role: new Setting('ROLE', kinds.oneOf('all', 'graph', 'worker').default('all')),
  },
};

export const settingsOfBatches = (config: Pick<Config, 'extensions'>) => settingsOf(config, batchSettings);
