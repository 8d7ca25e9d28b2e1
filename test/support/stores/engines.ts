import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectionPool } from '../../../src/store/connection-pool';
import { openStore, type StoreSettings } from '../../../src/store/open-store';
import { type PostgresCluster, startPostgres } from './postgres';
import { copyPrepared } from './prepared';
import { type Databases, shareDatabases } from './shared-postgres';
import { storeMigrations } from './store-migrations';

/** Engines for `describe.each` in tests of stores, of SQL, and of the life of a batch, an entry and a budget. */
export const bothEngines = ['embedded', 'postgres'] as const;

export type EngineName = (typeof bothEngines)[number];

const isFullRun = process.env.PADRON_TESTS === 'all';

/** Engines for `describe.each` in other tests: only `.ci/run --all` runs them on both. */
export const engines: readonly EngineName[] = isFullRun ? bothEngines : ['postgres'];

interface StoreForTests {
  readonly store: StoreSettings;
  readonly environment: Readonly<Record<string, string>>;
}

/** Gives tests stores of an engine, each separate and without rows, until the end of a file's `describe`. */
export interface EngineRig {
  /** The environment of a process with such a store, which has no tables. */
  emptySettings(): Promise<StoreForTests>;
  /** The same, with padron's tables: a copy takes a fraction of the time of making them. */
  settings(): Promise<StoreForTests>;
  folder(): string;
  /** Done when its tests are over, however they ended. */
  atEnd(end: () => Promise<void>): void;
}

/** A rig whose PostgreSQL its tests may kill, freeze, restart and configure. */
export interface OwnServerRig extends EngineRig {
  readonly cluster: PostgresCluster;
}

/**
 * Prepares the engine before the tests, and removes what they made after them. It must be called in `describe`. Tests for which the engine
 * makes no difference name none: a store on PostgreSQL takes a tenth of the time, and `.ci/run --all` runs them on the embedded engine.
 */
export function engineRig(engine: EngineName = isFullRun ? 'embedded' : 'postgres'): EngineRig {
  // Opening all connections takes most of the time of opening a store. A test that needs more than three opens them when it needs them.
  if (engine === 'postgres')
    jest.spyOn(ConnectionPool.prototype, 'openAll').mockImplementation(async function (this: ConnectionPool) {
      for (const client of await Promise.all([1, 2, 3].map(() => this.connect()))) client.release();
      return this.options.max;
    });
  return rigOf(async () => (engine === 'postgres' ? shareDatabases() : null));
}

/** Starts a PostgreSQL for these tests only, which takes a second. */
export function ownServerRig(engine: EngineName = 'postgres'): OwnServerRig {
  let cluster: PostgresCluster | null = null;
  const rig = rigOf(async () => {
    if (engine === 'embedded') return null;
    const started = await startPostgres();
    cluster = started;
    return { create: () => started.createDatabase(), remove: () => started.remove() };
  });
  rig.atEnd(async () => cluster?.thaw());
  return {
    ...rig,
    get cluster() {
      if (cluster === null) throw new Error('This engine has no server.');
      return cluster;
    },
  };
}

/** `prepare` returns null for the embedded engine. */
function rigOf(prepare: () => Promise<Databases | null>): EngineRig {
  // An embedded store takes a second of CPU to open, and a test opens several, beside others on a busy machine.
  jest.setTimeout(60_000);
  let databases: Databases | null = null;
  const folders: string[] = [];
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    databases = await prepare();
  });
  afterAll(async () => {
    for (const end of ends) await end().catch(() => undefined);
    await databases?.remove();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'padron-data-'));
    folders.push(path);
    return path;
  };
  const settings = async (kind: 'empty' | 'migrated'): Promise<StoreForTests> => {
    if (databases !== null) {
      const url = await databases.create(kind);
      const environment = { DATABASE_URL: url, DATA_KEYS: '0123456789abcdef'.repeat(3) };
      return { store: { kind: 'postgres', url }, environment };
    }
    const path = folder();
    if (kind === 'migrated') await copyPrepared('embedded', join(path, 'store'), makeStore);
    return { store: { kind: 'folder', path }, environment: { DATA_DIR: path } };
  };
  return {
    folder,
    atEnd: (end) => void ends.push(end),
    emptySettings: () => settings('empty'),
    settings: () => settings('migrated'),
  };
}

async function makeStore(made: string): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), 'padron-data-'));
  const store = await openStore({ kind: 'folder', path }, storeMigrations);
  await store.close();
  renameSync(join(path, 'store'), made);
  rmSync(path, { recursive: true });
}
