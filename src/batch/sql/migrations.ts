import type { Migration } from '../../store/store';
import { changeFunctions } from './change-functions';
import { dropFunctions, owners } from './owners';
import { questionFunctions } from './question-functions';
import { rowFunctions } from './row-functions';
import { batchTables } from './tables';

/** Migrations of the batches' tables, in order. */
export const batchMigrations: readonly Migration[] = [
  { name: 'batch-1-tables', sql: batchTables },
  { name: 'batch-2-questions', sql: questionFunctions },
  { name: 'batch-3-rows', sql: rowFunctions },
  { name: 'batch-4-changes', sql: changeFunctions },
  { name: 'batch-5-owners', sql: owners },
  // The functions of batch-2 to batch-4 have changed since: a store of an earlier version takes the present ones here.
  { name: 'batch-6-functions', sql: [dropFunctions, questionFunctions, rowFunctions, changeFunctions].join('\n') },
];
