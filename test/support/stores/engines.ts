import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type StoreSettings } from '../../../src/store/open-store';
import { type PostgresCluster, startPostgres } from './postgres';
import { copyPrepared } from './prepared';
import { storeMigrations } from './store-migrations';

/** Engines for `describe.each` in tests of stores, of SQL, and of the life of a batch, an entry and a budget. */
export const bothEngines = ['embedded', 'postgres'] as const;

export type EngineName = (typeof bothEngines)[number];

/** Engines for `describe.each` in other tests: only `.ci/run --all` runs them on both. */
export const engines: readonly EngineName[] = process.env.PADRON_TESTS === 'all' ? bothEngines : ['postgres'];

interface StoreForTests {
  readonly store: StoreSettings;
  readonly environment: Readonly<Record<string, string>>;
}

/** Gives tests stores of an engine, each separate and without rows, until the end of a file's `describe`. */
export interface EngineRig {
  /** The environment of a process with such a store, which has no tables. */
  emptySettings(): Promise<StoreForTests>;
  /** The same. An embedded store has padron's tables already, because it would take seconds to make them. */
  settings(): Promise<StoreForTests>;
  folder(): string;
  /** Done when its tests are over, however they ended. */
  atEnd(end: () => Promise<void>): void;
  readonly cluster: PostgresCluster;
}

/** Starts what the engine needs before the tests, and removes it after them. It must be called in `describe`. */
export function engineRig(engine: EngineName): EngineRig {
  // An embedded store takes a second of CPU to open, and a test opens several, beside others on a busy machine.
  jest.setTimeout(60_000);
  let cluster: PostgresCluster | null = null;
  const folders: string[] = [];
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    if (engine === 'postgres') cluster = await startPostgres();
  });
  afterAll(async () => {
    if (engine === 'postgres') cluster?.thaw();
    for (const end of ends) await end().catch(() => undefined);
    await cluster?.remove();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'padron-data-'));
    folders.push(path);
    return path;
  };
  const settings = async (path = folder()): Promise<StoreForTests> => {
    if (cluster === null) return { store: { kind: 'folder', path }, environment: { DATA_DIR: path } };
    const url = await cluster.createDatabase();
    const environment = { DATABASE_URL: url, DATA_KEYS: '0123456789abcdef'.repeat(3) };
    return { store: { kind: 'postgres', url }, environment };
  };
  return {
    folder,
    atEnd: (end) => void ends.push(end),
    get cluster() {
      if (cluster === null) throw new Error('This engine has no server.');
      return cluster;
    },
    emptySettings: () => settings(),
    settings: async () => {
      const path = folder();
      if (engine === 'embedded') await copyPrepared('embedded', join(path, 'store'), makeStore);
      return settings(path);
    },
  };
}

async function makeStore(made: string): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), 'padron-data-'));
  const store = await openStore({ kind: 'folder', path }, storeMigrations);
  await store.close();
  renameSync(join(path, 'store'), made);
  rmSync(path, { recursive: true });
}
