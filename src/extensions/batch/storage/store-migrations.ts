import { ledgerMigrations } from '../../../money/entries/migrations';
import { requestMigrations } from '../../../money/idempotency/migrations';
import { callMigrations } from '../../../money/store/migrations';
import { readSql } from '../../../store/migrate';
import type { Migration } from '../../../store/store';

const batchMigrations: readonly Migration[] = [
  { name: 'batch-tables', kind: 'tables', sql: readSql(__dirname, 'tables') },
  { name: 'batch-functions', kind: 'functions', sql: readSql(__dirname, 'run', 'changes') },
];

/** The whole schema of a store. The functions of batches use those of money. */
export const storeMigrations: readonly Migration[] = [
  ...ledgerMigrations,
  ...callMigrations,
  ...requestMigrations,
  ...batchMigrations,
];
