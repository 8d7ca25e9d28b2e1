import { batchMigrations } from '../../batch/sql/migrations';
import type { Config } from '../../config/config';
import { ledgerMigrations } from '../../ledger/sql/migrations';
import type { Engine } from '../../store/engine';
import { KeyRing } from '../../store/key-ring';
import { UnusableStoreError } from '../../store/store';
import { type CheckResult, failed, ok, type SystemCheck, skipped } from './check-result';

const name = 'PostgreSQL';

/** Connects to `DATABASE_URL`, and compares its tables and the keys of its data with this version and `DATA_KEYS`. Changes nothing. */
export async function checkStore({ data: { store, keys } }: Config): Promise<SystemCheck> {
  if (store?.kind !== 'postgres') {
    const skip = (check: string) => skipped(check, 'DATABASE_URL is not set.');
    return { results: [skip(name), skip('data keys')], aheadMs: null };
  }
  const host = new URL(store.url).host || 'local socket';
  const { PostgresEngine } = await import('../../store/postgres-engine.js');
  const engine = new PostgresEngine(store.url);
  try {
    await engine.connect();
    const aheadMs = await compareClocks(engine);
    const applied = await listApplied(engine);
    const schema = await describeSchema(engine, host, applied);
    return { results: [schema, await checkKeys(engine, applied, new KeyRing(keys))], aheadMs };
  } catch (error) {
    return {
      results: [failed(name, `${host}: ${explain(error)}`), skipped('data keys', 'PostgreSQL must answer first.')],
      aheadMs: null,
    };
  } finally {
    await engine.close();
  }
}

function explain(error: unknown): string {
  const reason = error instanceof Error ? error.message : 'it cannot be used.';
  return error instanceof UnusableStoreError ? reason : `${reason} Check DATABASE_URL, the network and the server.`;
}

async function compareClocks(engine: Engine): Promise<number> {
  const before = Date.now();
  const [row] = (await engine.query('SELECT clock_timestamp() AS now', [])) as readonly { readonly now: Date }[];
  return (before + Date.now()) / 2 - (row?.now ?? new Date()).getTime();
}

/** Returns the names of the migrations that the database has. */
async function listApplied(engine: Engine): Promise<ReadonlySet<string>> {
  const [table] = (await engine.query(
    `SELECT to_regclass('padron_migrations') IS NOT NULL AS exists`,
    [],
  )) as readonly {
    readonly exists: boolean;
  }[];
  if (table?.exists !== true) return new Set();
  const rows = (await engine.query('SELECT name FROM padron_migrations', [])) as readonly { readonly name: string }[];
  return new Set(rows.map((row) => row.name));
}

async function describeSchema(engine: Engine, host: string, applied: ReadonlySet<string>): Promise<CheckResult> {
  const ownMigrations = new Set([...ledgerMigrations, ...batchMigrations].map((migration) => migration.name));
  const unknown = [...applied].filter((migration) => !ownMigrations.has(migration));
  if (unknown.length > 0)
    return failed(name, `${host}: a newer version of padron migrated it (${unknown.join(', ')}). Start that version.`);
  const pending = [...ownMigrations].filter((migration) => !applied.has(migration)).length;
  if (pending === 0) return ok(name, `${host} answers. Its tables are those of this version.`);
  const [row] = (await engine.query(
    `SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS allowed`,
    [],
  )) as readonly { readonly allowed: boolean }[];
  return row?.allowed === true
    ? ok(name, `${host} answers. The next start of padron applies ${pending} migrations.`)
    : failed(name, `${host}: the user may not create tables. Grant it CREATE on the schema.`);
}

/** Checks whether `DATA_KEYS` has all keys that the stored data was written with. */
async function checkKeys(engine: Engine, applied: ReadonlySet<string>, ring: KeyRing): Promise<CheckResult> {
  if (applied.size === 0) return ok('data keys', 'No data is stored yet.');
  // The key of a batch begins with the length and the ID of the key that encrypts it.
  const rows = (await engine.query(
    `SELECT id FROM ledger_keys UNION SELECT convert_from(substring(wrapped_key FROM 2 FOR get_byte(wrapped_key, 0)), 'UTF8')
    FROM batch WHERE wrapped_key IS NOT NULL AND length(wrapped_key) > 0`,
    [],
  )) as readonly { readonly id: string }[];
  const missing = rows.map(({ id }) => id).filter((id) => ring.find(id) === null);
  if (missing.length === 0) return ok('data keys', 'DATA_KEYS has every key that the stored data was written with.');
  return failed(
    'data keys',
    `DATA_KEYS lacks keys that stored data was written with (IDs ${missing.join(', ')}). Add the earlier secrets after the new one: DATA_KEYS=new,old.`,
  );
}
