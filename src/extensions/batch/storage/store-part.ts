import type { StorePart } from '../../../server/persistence';
import { readSql } from '../../../store/migrate';
import { settingsOfBatches } from '../settings';
import { batchKeysSql } from './batch-store';
import { BatchQuotas } from './quotas';

export const batchStore: StorePart = {
  migrations: () => [
    { name: 'batch-tables', kind: 'tables', sql: readSql(__dirname, 'tables') },
    { name: 'batch-functions', kind: 'functions', sql: readSql(__dirname, 'run', 'changes') },
  ],
  usedKeysSql: batchKeysSql,
  bytesLeft(store, config) {
    const quotas = new BatchQuotas(store, settingsOfBatches(config));
    return (owner) => quotas.bytesLeft(owner);
  },
};
