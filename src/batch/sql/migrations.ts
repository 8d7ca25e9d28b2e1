import type { Migration } from '../../store/store';
import { changeFunctions } from './change-functions';
import { questionFunctions } from './question-functions';
import { rowFunctions } from './row-functions';
import { batchTables } from './tables';
import { workerFunctions } from './worker-functions';

/** Migrations of the batches' tables and functions, in order. */
export const batchMigrations: readonly Migration[] = [
  { name: 'batch-tables', kind: 'tables', sql: batchTables },
  {
    name: 'batch-functions',
    kind: 'functions',
    sql: [questionFunctions, rowFunctions, changeFunctions, workerFunctions].join('\n'),
  },
];
