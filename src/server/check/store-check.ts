import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/settings';
import { type SharedSettings, settingsSql } from '../../money/calls/store/processes';
import { usedKeysSql } from '../../money/ledger/entries/subject-index';
import { lockFolder } from '../../store/embedded/folder-lock';
import { type KeyRing, readDataKeys } from '../../store/key-ring';
import {
  type AppliedMigrations,
  explainMismatch,
  listApplied,
  listPending,
  mayCreateTables,
} from '../../store/migrate';
import { createEngine, placeOf, type StoreSettings } from '../../store/open-store';
import { type Engine, type Migration, UnusableStoreError } from '../../store/store';
import { migrationsOf, type StorePart } from '../persistence';
import { compareSettings, sharedSettings } from '../shared-settings';
import { findDrift } from './schema-drift';

/** Result of one check. `message` says what was found, and after a failure what to do. It contains no secrets. */
export interface CheckResult {
  readonly name: string;
  /** A `warning` needs no action if it ends with the deployment. */
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly message: string;
}

export interface SystemCheck {
  readonly results: readonly CheckResult[];
  /** Milliseconds by which the clock of this machine is ahead of the system's clock. Null if it is unknown. */
  readonly aheadMs: number | null;
}

export const ok = (name: string, message: string): CheckResult => ({ name, status: 'ok', message });
export const failed = (name: string, message: string): CheckResult => ({ name, status: 'failed', message });
const warning = (name: string, message: string): CheckResult => ({ name, status: 'warning', message });
export const skipped = (name: string, message: string): CheckResult => ({ name, status: 'skipped', message });

const name = 'store';
const drift = 'schema';
const sharing = 'shared settings';

/**
 * Opens the store, and compares its schema with this version, its keys with `DATA_KEYS` and its connections with those of a process.
 * Changes no data.
 */
export async function checkStore(config: Config, parts: readonly StorePart[]): Promise<SystemCheck> {
  const { store, keys } = config.data;
  if (store === null || store.kind === 'memory') return skipBoth('DATABASE_URL and DATA_DIR are not set.');
  if (store.kind === 'folder') {
    if (!existsSync(join(store.path, 'store'))) return skipBoth(`${store.path} has no store yet.`);
    const holder = await findHolder(store.path);
    if (holder !== null) return skipBoth(`${store.path} is in use by ${holder}.`);
  }
  const place = placeOf(store);
  const engine = await createEngine(store);
  try {
    await engine.connect();
    const aheadMs = store.kind === 'folder' ? null : await compareClocks(engine);
    const applied = await listApplied(engine);
    const migrations = migrationsOf(parts);
    const schema = await checkSchema(engine, place, applied, migrations);
    const shortage = explainShortage(engine);
    const ring = readKeyRing(store, keys);
    const isCurrent = schema.status === 'ok' && listPending(applied, migrations).length === 0;
    const results = [
      schema.status === 'ok' && shortage !== null ? failed(name, `${place}: ${shortage}`) : schema,
      ...(isCurrent
        ? await checkDrift(engine, migrations)
        : [skipped(drift, 'The tables must be those of this version.')]),
      await checkKeys(engine, applied, ring, parts),
      isCurrent
        ? await checkSettings(engine, sharedSettings(config, ring))
        : skipped(sharing, 'No process runs on these tables.'),
    ];
    return { results, aheadMs };
  } catch (error) {
    const results: readonly CheckResult[] = [
      failed(name, `${place}: ${explain(error, store.kind)}`),
      ...[drift, 'data keys', sharing].map((check) => skipped(check, 'The store must open first.')),
    ];
    return { results, aheadMs: null };
  } finally {
    await engine.close();
  }
}

function skipBoth(message: string): SystemCheck {
  return { results: [name, drift, 'data keys', sharing].map((check) => skipped(check, message)), aheadMs: null };
}

async function findHolder(folder: string): Promise<string | null> {
  const lock = await lockFolder(folder);
  if ('holder' in lock) return lock.holder;
  await lock.release();
  return null;
}

function explain(error: unknown, kind: StoreSettings['kind']): string {
  const reason = error instanceof Error ? error.message : 'It cannot be used.';
  if (error instanceof UnusableStoreError) return reason;
  return `${reason} ${kind === 'folder' ? 'Check DATA_DIR.' : 'Check DATABASE_URL, the network and the server.'}`;
}

function explainShortage({ connections }: Engine): string | null {
  if (connections === null || connections.opened === connections.wanted) return null;
  return `it now gives ${connections.opened} of the ${connections.wanted} connections that a process needs. Raise max_connections of the server, or the connection limit of the database or of its user.`;
}

async function compareClocks(engine: Engine): Promise<number> {
  const before = Date.now();
  const [row] = (await engine.query('SELECT clock_timestamp() AS now', [])) as readonly { readonly now: Date }[];
  return (before + Date.now()) / 2 - (row?.now ?? new Date()).getTime();
}

async function checkSchema(
  engine: Engine,
  place: string,
  applied: AppliedMigrations,
  migrations: readonly Migration[],
): Promise<CheckResult> {
  const mismatch = explainMismatch(applied, migrations);
  if (mismatch !== null) return failed(name, `${place}: ${mismatch}`);
  const pending = listPending(applied, migrations);
  if (pending.length === 0) return ok(name, `${place} opens. Its tables are those of this version.`);
  if (!(await mayCreateTables(engine)))
    return failed(
      name,
      `${place}: run \`padron migrate\` as a user that may create tables, or grant it CREATE on the schema.`,
    );
  const changed = pending.some(({ number }) => number !== null) ? 'tables' : 'functions';
  const change = applied.size === 0 ? 'creates' : 'changes';
  const isBreaking = applied.size > 0 && pending.some(({ breaking }) => breaking);
  const end = isBreaking ? ', after the processes of earlier versions have stopped by themselves' : '';
  return ok(name, `${place} opens. The next start of padron or \`padron migrate\` ${change} its ${changed}${end}.`);
}

async function checkDrift(engine: Engine, migrations: readonly Migration[]): Promise<readonly CheckResult[]> {
  const differences = await findDrift(engine, migrations);
  if (differences.length > 0) return differences.map((difference) => failed(drift, difference));
  return [ok(drift, 'Functions, triggers and indexes are those of this version.')];
}

/** Compares the settings with those of the live processes. A rolling change has both for a while, so a difference does not fail. */
async function checkSettings(engine: Engine, own: SharedSettings): Promise<CheckResult> {
  const rows = (await engine.query(settingsSql, [])) as readonly { readonly settings: SharedSettings }[];
  const found = rows.map(({ settings }) => settings);
  const differences = compareSettings(own, found);
  if (differences.length > 0)
    return warning(sharing, `${differences.join('. ')}. Give all processes of a store the same.`);
  return ok(
    sharing,
    found.length === 0 ? 'No other process uses the store now.' : 'They are the same in the other processes.',
  );
}

/** Returns the keys of the store. Returns null if there are none: padron then creates a key when it starts. */
function readKeyRing(store: StoreSettings, secrets: readonly string[]): KeyRing | null {
  const hasKeys = secrets.length > 0 || (store.kind === 'folder' && existsSync(join(store.path, 'keys')));
  return hasKeys ? readDataKeys(store, secrets).ring : null;
}

/** Checks whether padron has all keys that the stored data was written with. */
async function checkKeys(
  engine: Engine,
  applied: AppliedMigrations,
  ring: KeyRing | null,
  parts: readonly StorePart[],
): Promise<CheckResult> {
  const name = 'data keys';
  if (applied.size === 0) return ok(name, 'No data is stored yet.');
  const sql = [usedKeysSql, ...parts.flatMap((part) => part.usedKeysSql ?? [])].join(' UNION ');
  const rows = (await engine.query(sql, [])) as readonly { readonly id: string }[];
  const missing = rows.map(({ id }) => id).filter((id) => ring === null || ring.find(id) === null);
  if (missing.length === 0) return ok(name, 'padron has every key that the stored data was written with.');
  return failed(
    name,
    `Keys of stored data are missing (IDs ${missing.join(', ')}). Add the earlier secrets after the new one (DATA_KEYS=new,old), or restore the file \`keys\` in DATA_DIR.`,
  );
}
