import { randomUUID } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { ConnectionPool } from '../../../src/store/connection-pool';
import { openStore, type StoreSettings } from '../../../src/store/open-store';
import { onServer, type PostgresCluster, startPostgres } from './postgres';
import { copyPrepared } from './prepared';
import { storeMigrations } from './store-migrations';

/** Owns the tables of the template, so that the role of each test may use and change its copies. */
const tablesOwner = 'padron_tables';
const template = 'padron_template';

/** Databases on a PostgreSQL for the tests of a `describe`. */
interface Databases {
  create(kind: 'empty' | 'migrated'): Promise<string>;
  remove(): Promise<void>;
}

/** Makes a role for these databases on the PostgreSQL that global-setup.cjs started. */
async function shareDatabases(): Promise<Databases> {
  const server = process.env.PADRON_POSTGRES;
  if (server === undefined) throw new Error('Only the projects `stores`, `long` and `rare` of jest have a PostgreSQL.');
  const role = newName();
  const databases: string[] = [];
  let strategy = '';
  await onServer(server, async (client) => {
    await makeTemplate(client, server);
    const { rows } = await client.query(
      `SELECT current_setting('server_version_num')::int >= 150000 AS has_strategies`,
    );
    // It takes half the time of the default, and earlier versions know no other.
    if (rows[0].has_strategies) strategy = 'STRATEGY file_copy';
    await client.query(`CREATE ROLE ${role} LOGIN IN ROLE ${tablesOwner}`);
  });
  return {
    create: async (kind) => {
      const name = newName();
      const source = kind === 'migrated' ? template : 'template1';
      await onServer(server, (client) =>
        client.query(`CREATE DATABASE ${name} OWNER ${role} TEMPLATE ${source} ${strategy}`),
      );
      databases.push(name);
      return addressOf(server, role, name);
    },
    // A database takes 8 MB until the server stops.
    remove: () =>
      onServer(server, async (client) => {
        for (const name of databases) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
        await client.query(`DROP ROLE ${role}`);
      }),
  };
}

/** The first test makes the template, and the others wait for it. */
async function makeTemplate(client: Client, server: string): Promise<void> {
  await client.query('SELECT pg_advisory_lock(1)');
  try {
    const made = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (made.rowCount !== 0) return;
    await client.query(`CREATE ROLE ${tablesOwner} LOGIN`);
    await client.query(`CREATE DATABASE unfinished OWNER ${tablesOwner}`);
    const url = addressOf(server, tablesOwner, 'unfinished');
    await (await openStore({ kind: 'postgres', url }, storeMigrations)).close();
    await client.query(`ALTER DATABASE unfinished RENAME TO ${template}`);
  } finally {
    await client.query('SELECT pg_advisory_unlock(1)');
  }
}

const newName = (): string => `padron_${randomUUID().replaceAll('-', '')}`;

function addressOf(server: string, role: string, database: string): string {
  const url = new URL(server);
  url.username = role;
  url.pathname = database;
  return url.href;
}

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
