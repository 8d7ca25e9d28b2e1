import type { Session } from './engine';
import { type Migration, StatementError, UnusableStoreError } from './store';

/** Key of the advisory lock that processes take so that only one migrates at a time. */
const lockKey = 7_221_906;

/** Applies the migrations that the store does not have yet, all of them or none. */
export async function migrate(session: Session, migrations: readonly Migration[]): Promise<void> {
  await session.script('BEGIN');
  try {
    await session.query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
    await session.script(
      'CREATE TABLE IF NOT EXISTS padron_migrations (name text PRIMARY KEY, taken_at timestamptz NOT NULL DEFAULT now())',
    );
    const applied = await listApplied(session);
    rejectNewerStore(applied, migrations);
    for (const migration of migrations.filter(({ name }) => !applied.has(name))) await apply(session, migration);
    await session.script('COMMIT');
  } catch (error) {
    // If the connection is broken, the rollback fails too and the server discards the transaction.
    await session.script('ROLLBACK').catch(() => undefined);
    throw error instanceof StatementError ? explain(error) : error;
  }
}

async function listApplied(session: Session): Promise<ReadonlySet<string>> {
  const rows = (await session.query('SELECT name FROM padron_migrations')) as readonly { readonly name: string }[];
  return new Set(rows.map(({ name }) => name));
}

/** Throws if the store has migrations that this version does not know. */
function rejectNewerStore(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const names = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied].filter((name) => !names.has(name));
  if (unknown.length === 0) return;
  throw new UnusableStoreError(
    `The store was migrated by a newer version of padron (${unknown.join(', ')}). Start that version, or use another store.`,
  );
}

async function apply(session: Session, { name, sql }: Migration): Promise<void> {
  try {
    await session.script(sql);
    await session.query('INSERT INTO padron_migrations (name) VALUES ($1)', [name]);
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
