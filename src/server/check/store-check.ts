import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config';
import { lockFolder } from '../../store/embedded/folder-lock';
import type { Engine } from '../../store/engine';
import { listApplied } from '../../store/migrate';
import { UnusableStoreError } from '../../store/store';
import { type CheckResult, failed, type SystemCheck, skipped } from './check-result';
import { checkKeys, checkSchema, readKeyRing } from './stored-data';

type Location = NonNullable<Config['data']['store']>;

const name = 'store';

/** Opens the store, and compares its tables with this version and its keys with `DATA_KEYS`. Changes no data. */
export async function checkStore({ data: { store, keys } }: Config): Promise<SystemCheck> {
  if (store === null || store.kind === 'memory') return skipBoth('DATABASE_URL and DATA_DIR are not set.');
  if (store.kind === 'folder') {
    if (!existsSync(join(store.path, 'store'))) return skipBoth(`${store.path} has no store yet.`);
    const holder = await findHolder(store.path);
    if (holder !== null) return skipBoth(`${store.path} is in use by ${holder}.`);
  }
  const place = store.kind === 'folder' ? store.path : `PostgreSQL at ${new URL(store.url).host || 'a local socket'}`;
  const engine = await createEngine(store);
  try {
    await engine.connect();
    const aheadMs = store.kind === 'folder' ? null : await compareClocks(engine);
    const applied = await listApplied(engine);
    const results = [
      await checkSchema(name, engine, place, applied),
      await checkKeys(engine, applied, readKeyRing(store, keys)),
    ];
    return { results, aheadMs };
  } catch (error) {
    const results: readonly CheckResult[] = [
      failed(name, `${place}: ${explain(error, store.kind)}`),
      skipped('data keys', 'The store must open first.'),
    ];
    return { results, aheadMs: null };
  } finally {
    await engine.close();
  }
}

function skipBoth(message: string): SystemCheck {
  return { results: [skipped(name, message), skipped('data keys', message)], aheadMs: null };
}

/** Returns the process that uses the folder, or null. */
async function findHolder(folder: string): Promise<string | null> {
  const lock = await lockFolder(folder);
  if ('holder' in lock) return lock.holder;
  await lock.release();
  return null;
}

async function createEngine(store: Exclude<Location, { kind: 'memory' }>): Promise<Engine> {
  if (store.kind === 'postgres') return new (await import('../../store/postgres-engine.js')).PostgresEngine(store.url);
  return new (await import('../../store/embedded/embedded-engine.js')).EmbeddedEngine(store.path);
}

function explain(error: unknown, kind: Location['kind']): string {
  const reason = error instanceof Error ? error.message : 'It cannot be used.';
  if (error instanceof UnusableStoreError) return reason;
  return `${reason} ${kind === 'folder' ? 'Check DATA_DIR.' : 'Check DATABASE_URL, the network and the server.'}`;
}

async function compareClocks(engine: Engine): Promise<number> {
  const before = Date.now();
  const [row] = (await engine.query('SELECT clock_timestamp() AS now', [])) as readonly { readonly now: Date }[];
  return (before + Date.now()) / 2 - (row?.now ?? new Date()).getTime();
}
