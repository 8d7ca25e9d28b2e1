import { readSql } from '../../store/migrate';
import type { Migration } from '../../store/store';

export const ledgerMigrations: readonly Migration[] = [
  { name: 'ledger-tables', kind: 'tables', sql: readSql(__dirname, 'tables') },
  { name: 'ledger-functions', kind: 'functions', sql: readSql(__dirname, 'sums', 'erase') },
];
