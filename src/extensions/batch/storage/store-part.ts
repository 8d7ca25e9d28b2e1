import type { StorePart } from '../../../server/persistence';
import { readSql } from '../../../store/migrate';
import { settingsOfBatches } from '../settings';
import { batchKeysSql } from './batch-store';
import { BatchQuotas } from './quotas';

export const batchStore: StorePart = {
  migrations: () => [
    { number: 1, name: 'batch-tables', sql: readSql(__dirname, '001-tables') },
    { number: null, name: 'batch-functions', sql: readSql(__dirname, 'run', 'changes') },
  ],
  usedKeysSql: batchKeysSql,
  bytesLeft(store, config) {
    const quotas = new BatchQuotas(store, settingsOfBatches(config));
    return (owner) => quotas.bytesLeft(owner);
  },
};
