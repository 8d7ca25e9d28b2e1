import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, Session } from './store';
import { type Migration, StatementError, UnusableStoreError } from './store';

const lockKey = 7_221_906;

/** Reads the `.sql` files of a migration, which are beside the module that lists it. */
export const readSql = (folder: string, ...names: readonly string[]): string =>
  names.map((name) => readFileSync(join(folder, `${name}.sql`), 'utf8')).join('\n');

/** Hashes of the texts of applied migrations, by name. */
export type AppliedMigrations = ReadonlyMap<string, string>;

export async function migrate(session: Session, migrations: readonly Migration[]): Promise<void> {
  await session.script('BEGIN');
  try {
    await session.query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
    await session.script(
      'CREATE TABLE IF NOT EXISTS padron_migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL)',
    );
    const applied = await listApplied(session);
    const mismatch = explainMismatch(applied, migrations);
    if (mismatch !== null) throw new UnusableStoreError(mismatch);
    for (const migration of listPending(applied, migrations)) await apply(session, migration);
    await session.script('COMMIT');
  } catch (error) {
    // If the connection is broken, the rollback fails too and the server discards the transaction.
    await session.script('ROLLBACK').catch(() => undefined);
    throw error instanceof StatementError ? explain(error) : error;
  }
}

export async function listApplied(engine: Pick<Engine, 'query'>): Promise<AppliedMigrations> {
  const [table] = await engine.query(`SELECT to_regclass('padron_migrations')::text AS name`, []);
  if ((table as { readonly name: string | null }).name === null) return new Map();
  const rows = await engine.query('SELECT name, hash FROM padron_migrations', []);
  return new Map((rows as readonly { name: string; hash: string }[]).map(({ name, hash }) => [name, hash]));
}

export function explainMismatch(applied: AppliedMigrations, migrations: readonly Migration[]): string | null {
  const isChanged = ({ name, sql, kind }: Migration): boolean =>
    kind === 'tables' && applied.has(name) && applied.get(name) !== hashOf(sql);
  if (migrations.some(isChanged))
    return 'This store has the tables of an earlier version of padron, and this version cannot use them. Choose another DATA_DIR or DATABASE_URL, or delete the store. Only the earlier version can read what is in it.';
  const names = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !names.has(name));
  if (unknown.length === 0) return null;
  return `The store was migrated by a newer version of padron (${unknown.join(', ')}). Start that version, or use another store.`;
}

export const listPending = (applied: AppliedMigrations, migrations: readonly Migration[]): readonly Migration[] =>
  migrations.filter(({ name, sql }) => applied.get(name) !== hashOf(sql));

const hashOf = (sql: string): string => createHash('sha256').update(sql).digest('hex');

async function apply(session: Session, { name, sql }: Migration): Promise<void> {
  try {
    await session.script(sql);
    await session.query(
      `INSERT INTO padron_migrations VALUES ($1, $2, now())
      ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, applied_at = excluded.applied_at`,
      [name, hashOf(sql)],
    );
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    throw new UnusableStoreError(
      `Migration ${name} of the store failed (SQLSTATE ${error.code}), and no change was made. Check the database's log.`,
    );
  }
}

function explain({ code }: StatementError): UnusableStoreError {
  const reason =
    code === '42501'
      ? 'the user of DATABASE_URL may not create tables. Grant it CREATE on the schema'
      : `SQLSTATE ${code}. Check the database's log`;
  return new UnusableStoreError(`The store cannot be migrated: ${reason}.`);
}
