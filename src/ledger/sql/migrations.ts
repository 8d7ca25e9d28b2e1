import type { Migration } from '../../store/store';
import { eraseFunctions } from './erase-function';
import { openFunction } from './open-function';
import { sumFunctions } from './sum-functions';
import { ledgerTables } from './tables';
import { writeFunction } from './write-function';

/** Migrations of the ledger's tables and functions, in order. */
export const ledgerMigrations: readonly Migration[] = [
  { name: 'ledger-tables', kind: 'tables', sql: ledgerTables },
  {
    name: 'ledger-functions',
    kind: 'functions',
    sql: [sumFunctions, eraseFunctions, openFunction, writeFunction].join('\n'),
  },
];
