import { readSql } from '../../store/migrate';
import type { Migration } from '../../store/store';

export const pauseSql = `INSERT INTO call_pauses SELECT unnest($1::text[]), now() + $2 * interval '1 millisecond'
  ON CONFLICT (account) DO UPDATE SET until = greatest(call_pauses.until, excluded.until)`;
/** Deletes what has expired. Rows that are in use are skipped, and found a second later. */
export const purgeSql = `WITH old AS (SELECT name FROM calls WHERE state <> 'OPEN' AND expires_at < now() FOR UPDATE SKIP LOCKED),
  operations AS (DELETE FROM call_operations WHERE expires_at < now()),
  pauses AS (DELETE FROM call_pauses WHERE until < now())
  DELETE FROM calls c USING old WHERE c.name = old.name`;

export const callMigrations: readonly Migration[] = [
  { name: 'call-tables', kind: 'tables', sql: readSql(__dirname, 'tables', '../operations/tables') },
  {
    name: 'call-functions',
    kind: 'functions',
    sql: readSql(__dirname, 'processes', 'open', 'close', '../operations/functions'),
  },
];
