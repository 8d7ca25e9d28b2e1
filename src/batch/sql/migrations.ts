import type { Migration } from '../../store/store';
import { changeFunctions } from './change-functions';
import { dropFunctions, owners } from './owners';
import { questionFunctions } from './question-functions';
import { retryable } from './retryable';
import { rowFunctions } from './row-functions';
import { batchTables } from './tables';
import { previousWorkerFunctions, workerFunctions } from './worker-functions';

/** Migrations of the batches' tables, in order. */
export const batchMigrations: readonly Migration[] = [
  { name: 'batch-1-tables', sql: batchTables },
  { name: 'batch-2-questions', sql: questionFunctions },
  { name: 'batch-3-rows', sql: rowFunctions },
  { name: 'batch-4-changes', sql: changeFunctions },
  { name: 'batch-5-owners', sql: owners },
  // Replaces the functions of batch-2 to batch-4, which were different in an earlier version.
  { name: 'batch-6-functions', sql: [dropFunctions, questionFunctions, rowFunctions, changeFunctions].join('\n') },
  { name: 'batch-7-workers', sql: [workerFunctions, previousWorkerFunctions].join('\n') },
  { name: 'batch-9-retryable', sql: retryable },
];
