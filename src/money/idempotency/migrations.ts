import { readSql } from '../../store/migrate';
import type { Migration } from '../../store/store';

export const requestMigrations: readonly Migration[] = [
  { name: 'request-tables', kind: 'tables', sql: readSql(__dirname, 'tables') },
  { name: 'request-functions', kind: 'functions', sql: readSql(__dirname, 'requests') },
];

export const purgeRequestsSql = 'DELETE FROM request_results WHERE expires_at < now()';
