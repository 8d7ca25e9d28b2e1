import { join } from 'node:path';
import { readSql } from '../store/migrate';
import type { Migration } from '../store/store';

const read = (folder: string, ...files: readonly string[]): string => readSql(join(__dirname, folder), ...files);

/** The schema of the ledger and of the calls. */
export const moneyMigrations: readonly Migration[] = [
  { number: 1, name: 'ledger-tables', sql: read('ledger/entries', '001-tables') },
  { number: 1, name: 'call-tables', sql: read('calls/store', '001-tables', '../../answers/operations/001-tables') },
  { number: 1, name: 'answer-tables', sql: read('answers', '001-tables') },
  { number: 1, name: 'request-tables', sql: read('idempotency', '001-tables') },
  { number: 2, name: 'price-tables', sql: read('ledger/prices', '002-tables') },
  { number: 3, name: 'retention-tables', sql: read('ledger/entries', '003-tables') },
  { number: null, name: 'ledger-functions', sql: read('ledger/entries', 'sums', 'retention', 'erase') },
  { number: null, name: 'operation-functions', sql: read('answers/operations', 'functions') },
  { number: null, name: 'answer-functions', sql: read('answers', 'functions') },
  { number: null, name: 'call-functions', sql: read('calls/store', 'processes', 'open', 'close') },
  { number: null, name: 'request-functions', sql: read('idempotency', 'requests') },
];

/** Finds the processes of a store. `is_silent`: the process has sent no heartbeat for $1 milliseconds. */
export const processesSql = `SELECT seen_at < clock_timestamp() - $1 * interval '1 millisecond' AS is_silent FROM processes`;

/** Tables from which an erasure deletes personal data. */
export const personalTables = [
  'ledger_subjects',
  'ledger_blocked',
  'request_results',
  'answers',
  'answer_contents',
  'answer_subjects',
] as const;
