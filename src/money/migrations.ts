import { join } from 'node:path';
import { readSql } from '../store/migrate';
import type { Migration } from '../store/store';

const migration = (name: string, kind: Migration['kind'], folder: string, ...files: readonly string[]): Migration => ({
  name,
  kind,
  sql: readSql(join(__dirname, folder), ...files),
});

/** The schema of the ledger and of the calls. */
export const moneyMigrations: readonly Migration[] = [
  migration('ledger-tables', 'tables', 'entries', 'tables'),
  migration('ledger-functions', 'functions', 'entries', 'sums', 'erase'),
  migration('call-tables', 'tables', 'store', 'tables', '../operations/tables'),
  migration('call-functions', 'functions', 'store', 'processes', 'open', 'close', '../operations/functions'),
  migration('request-tables', 'tables', 'idempotency', 'tables'),
  migration('request-functions', 'functions', 'idempotency', 'requests'),
];
