import type { Session } from './engine';
import { type Migration, StatementError, StoreRefusedError } from './store';

/** Those who start at once wait for each other by this number. */
const lockNumber = 7_221_906;

/** Takes the steps that the store has not taken, all of them or none. */
export async function migrate(session: Session, migrations: readonly Migration[]): Promise<void> {
  await session.script('BEGIN');
  try {
    await session.query('SELECT pg_advisory_xact_lock($1)', [lockNumber]);
    await session.script(
      'CREATE TABLE IF NOT EXISTS padron_migrations (name text PRIMARY KEY, taken_at timestamptz NOT NULL DEFAULT now())',
    );
    const taken = await takenSteps(session);
    refuseNewer(taken, migrations);
    for (const step of migrations.filter(({ name }) => !taken.has(name))) await take(session, step);
    await session.script('COMMIT');
  } catch (error) {
    // Where the connection is broken this fails as well, and nothing was done either way.
    await session.script('ROLLBACK').catch(() => undefined);
    throw error instanceof StatementError ? explain(error) : error;
  }
}

async function takenSteps(session: Session): Promise<ReadonlySet<string>> {
  const rows = (await session.query('SELECT name FROM padron_migrations')) as readonly { readonly name: string }[];
  return new Set(rows.map(({ name }) => name));
}

function refuseNewer(taken: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const stepNames = new Set(migrations.map(({ name }) => name));
  const strange = [...taken].filter((name) => !stepNames.has(name));
  if (strange.length === 0) return;
  throw new StoreRefusedError(
    `The store was brought up to date by a newer padron (${strange.join(', ')}): start that version, or another store.`,
  );
}

async function take(session: Session, { name, sql }: Migration): Promise<void> {
  try {
    await session.script(sql);
    await session.query('INSERT INTO padron_migrations (name) VALUES ($1)', [name]);
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    throw new StoreRefusedError(`The store stays as it was: its step ${name} failed (SQLSTATE ${error.code}).`);
  }
}

function explain({ code }: StatementError): StoreRefusedError {
  const why = code === '42501' ? 'the user of DATABASE_URL may not create tables there' : `SQLSTATE ${code}`;
  return new StoreRefusedError(`The store cannot be brought up to date: ${why}.`);
}
