import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { times } from '../times';
import type { Engine, Session } from './store';
import { type Migration, StatementError, StoreUnavailableError, UnusableStoreError } from './store';

const lockKey = 7_221_906;

/** Reads the `.sql` files of a migration, which are beside the module that lists it. */
export const readSql = (folder: string, ...names: readonly string[]): string =>
  names.map((name) => readFileSync(join(folder, `${name}.sql`), 'utf8')).join('\n');

/** A row of `padron_migrations`. */
interface Applied {
  readonly name: string;
  /** Missing in the tables of versions whose migrations had no numbers. */
  readonly number?: number | null;
  /** Hash of the text. Null if the migration is announced: it will be applied when the processes of earlier versions have stopped. */
  readonly hash: string | null;
}

/** Applied and announced migrations, by name. */
export type AppliedMigrations = ReadonlyMap<string, Applied>;

/** The other processes of a store, which a breaking migration waits for. */
export interface OtherProcesses {
  /** Returns a row for each process: whether it is silent (`is_silent`) for $1 milliseconds. */
  readonly sql: string;
  readonly onWait: (count: number) => void;
}

/**
 * Migrates a store: all of it in one transaction, or nothing. Returns what it applied. If it may not, it rejects with
 * `StoreUnavailableError`, because this process can wait until another one has migrated the store. A breaking migration is announced first, and
 * applied when all other processes have stopped or have lost their lease. Processes that start register first and then look for an
 * announcement (`SchemaWatch`), and this function announces first and then looks for processes. So each of them finds the other.
 */
export async function migrate(
  session: Session,
  migrations: readonly Migration[],
  processes: OtherProcesses | null = null,
  isAllowed = true,
): Promise<readonly Migration[]> {
  // Neither a lock nor a right is needed to find that nothing is to be done.
  const need = explainNeed(await readApplied(session, migrations), migrations);
  if (need === null) return [];
  if (!isAllowed || !(await mayCreateTables(session)))
    throw new StoreUnavailableError(
      `${need} Run \`padron migrate\` of this version, as a user with CREATE on the schema.`,
    );
  let isReported = false;
  for (let announcedAt: number | null = null; ; announcedAt ??= performance.now()) {
    const result = await inTransaction(session, () => tryToApply(session, migrations, processes, announcedAt));
    if (typeof result !== 'number') return result;
    if (result === 0) continue;
    if (!isReported) processes?.onWait(result);
    isReported = true;
    await sleep(times.beat);
  }
}

async function inTransaction<Result>(session: Session, use: () => Promise<Result>): Promise<Result> {
  await session.script('BEGIN');
  try {
    const result = await use();
    await session.script('COMMIT');
    return result;
  } catch (error) {
    // If the connection is broken, the rollback fails too and the server discards the transaction.
    await session.script('ROLLBACK').catch(() => undefined);
    throw error instanceof StatementError
      ? new UnusableStoreError(`The store cannot be migrated: SQLSTATE ${error.code}. Check the database's log.`)
      : error;
  }
}

/** Applies what is pending, and returns it. If processes run that cannot live with it, announces it and returns their number. */
async function tryToApply(
  session: Session,
  migrations: readonly Migration[],
  processes: OtherProcesses | null,
  announcedAt: number | null,
): Promise<readonly Migration[] | number> {
  await session.query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
  await session.script(
    `CREATE TABLE IF NOT EXISTS padron_migrations
      (name text PRIMARY KEY, number integer, hash text, breaking boolean NOT NULL, applied_at timestamptz NOT NULL)`,
  );
  const applied = await readApplied(session, migrations);
  const pending = listPending(applied, migrations);
  const breaking = pending.filter((migration) => migration.breaking);
  if (breaking.length > 0 && applied.size > 0 && processes !== null) {
    const running = announcedAt === null ? 0 : await countRunning(session, processes, announcedAt);
    if (announcedAt === null || running > 0) {
      for (const migration of breaking) await record(session, migration, null);
      return running;
    }
  }
  for (const migration of pending) await apply(session, migration);
  return pending;
}

/** Rejects if this version cannot use the store. */
async function readApplied(session: Session, migrations: readonly Migration[]): Promise<AppliedMigrations> {
  const applied = await listApplied(session);
  const mismatch = explainMismatch(applied, migrations);
  if (mismatch !== null) throw new UnusableStoreError(mismatch);
  return applied;
}

export const versionOf = (migrations: readonly { readonly number?: number | null }[]): number =>
  Math.max(0, ...migrations.map(({ number }) => number ?? 0));

/** Returns what the store lacks, or null. */
function explainNeed(applied: AppliedMigrations, migrations: readonly Migration[]): string | null {
  const pending = listPending(applied, migrations).map(({ name }) => name);
  const version = versionOf([...applied.values()].filter(({ hash }) => hash !== null));
  const needed = `this version of padron needs version ${versionOf(migrations)} with ${pending.join(', ')}`;
  return pending.length === 0 ? null : `The store is at version ${version}, and ${needed}.`;
}

export async function mayCreateTables(engine: Pick<Engine, 'query'>): Promise<boolean> {
  const sql = `SELECT has_schema_privilege(current_schema(), 'create') AS allowed`;
  const [row] = (await engine.query(sql, [])) as readonly { readonly allowed: boolean | null }[];
  return row?.allowed === true;
}

/** Counts the processes that may still use the store. Silent ones count for a lease, because an outage may have silenced them. */
async function countRunning(session: Session, processes: OtherProcesses, announcedAt: number): Promise<number> {
  const rows = (await session.query(processes.sql, [times.lease])) as readonly { readonly is_silent: boolean }[];
  const hasWaited = performance.now() - announcedAt > times.lease;
  return rows.filter(({ is_silent }) => !(is_silent && hasWaited)).length;
}

/** An announcement that is not renewed is void: the process that made it has ended. */
const isCurrentSql = `(hash IS NOT NULL OR applied_at > clock_timestamp() - ${times.lease} * interval '1 millisecond')`;

/** Finds the breaking migrations, announced or applied, that a process does not know. */
export const unknownBreakingSql = `SELECT name FROM padron_migrations WHERE breaking AND name <> ALL($1) AND ${isCurrentSql}`;

/** Makes the next start apply all functions and triggers again. */
export const forgetFunctionsSql = 'DELETE FROM padron_migrations WHERE number IS NULL';

export async function listApplied(engine: Pick<Engine, 'query'>): Promise<AppliedMigrations> {
  const [table] = await engine.query(`SELECT to_regclass('padron_migrations')::text AS name`, []);
  if ((table as { readonly name: string | null }).name === null) return new Map();
  const rows = await engine.query(`SELECT row_to_json(m) AS row FROM padron_migrations m WHERE ${isCurrentSql}`, []);
  return new Map((rows as readonly { readonly row: Applied }[]).map(({ row }) => [row.name, row]));
}

export function explainMismatch(applied: AppliedMigrations, migrations: readonly Migration[]): string | null {
  const isChanged = ({ name, number, sql }: Migration): boolean => {
    const hash = applied.get(name)?.hash ?? null;
    return number !== null && hash !== null && hash !== hashOf(sql);
  };
  if ([...applied.values()].some(({ number }) => number === undefined) || migrations.some(isChanged))
    return 'This store has the tables of an earlier version of padron, and this version cannot use them. Choose another DATA_DIR or DATABASE_URL, or delete the store. Only the earlier version can read what is in it.';
  const names = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !names.has(name));
  if (unknown.length === 0) return null;
  return `The store was migrated by a newer version of padron (${unknown.join(', ')}). Start that version, or use another store.`;
}

/**
 * Returns what is to be applied, in order: by number, and within a number as listed. Functions come last, because they are of the tables of the
 * last number. They have no number: a function is its newest text, so a reader needs one file and not a chain of changes.
 */
export const listPending = (applied: AppliedMigrations, migrations: readonly Migration[]): readonly Migration[] =>
  migrations
    .filter(({ name, sql }) => applied.get(name)?.hash !== hashOf(sql))
    .sort((left, right) => (left.number ?? Number.MAX_VALUE) - (right.number ?? Number.MAX_VALUE));

const hashOf = (sql: string): string => createHash('sha256').update(sql).digest('hex');

async function apply(session: Session, migration: Migration): Promise<void> {
  try {
    await session.script(migration.sql);
    await record(session, migration, hashOf(migration.sql));
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    throw new UnusableStoreError(
      `Migration ${migration.name} of the store failed (SQLSTATE ${error.code}), and no change was made. Check the database's log.`,
    );
  }
}

async function record(
  session: Session,
  { name, number, breaking = false }: Migration,
  hash: string | null,
): Promise<void> {
  await session.query(
    `INSERT INTO padron_migrations VALUES ($1, $2, $3, $4, clock_timestamp())
    ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, applied_at = excluded.applied_at`,
    [name, number, hash, breaking],
  );
}
