import type { Migration } from '../../store/store';
import { changeFunctions } from './change-functions';
import { questionFunctions } from './question-functions';
import { rowFunctions } from './row-functions';
import { batchTables } from './tables';

/** What batches need of a store, in order. */
export const batchMigrations: readonly Migration[] = [
  { name: 'batch-1-tables', sql: batchTables },
  { name: 'batch-2-questions', sql: questionFunctions },
  { name: 'batch-3-rows', sql: rowFunctions },
  { name: 'batch-4-changes', sql: changeFunctions },
];
