import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrateStore } from '../../src/cli/migrate-command';
import { extensions } from '../../src/extensions';
import { startSandbox } from '../../src/extensions/sandbox/service';
import { startPadron } from '../../src/server/start';
import { createLogger } from '../../src/server/telemetry/logger';
import { openStore } from '../../src/store/open-store';
import type { Migration } from '../../src/store/store';
import { post } from '../support/padrons/padron';
import { LONG_SECRET } from '../support/padrons/settings';
import { buildGraph, readConfig } from '../support/padrons/whole-padron';
import { builtCommand, padronCommand } from '../support/processes/padron-command';
import { startProcess } from '../support/processes/process';
import { waitUntil } from '../support/proxies/deferred';
import { nss } from '../support/requests/credit-request';
import { type EngineRig, engineRig, ownServerRig } from '../support/stores/engines';
import { storeMigrations } from '../support/stores/store-migrations';

/** Version of a store with the tables of today. */
const newest = Math.max(...storeMigrations.map(({ number }) => number ?? 0));

const question = { query: `{ person(nss: "${nss}") { credit { outcome problems { code } } } }` };
const secretOfDatabase = 'hunter2-secret';
/** Exit code of a process that a newer version has superseded. */
const superseded = 3;

const nextVersion = (breaking: boolean) => {
  const sql = 'ALTER TABLE ledger_entries ADD added text';
  const migrations = (): readonly Migration[] => [{ number: newest + 1, name: 'of-the-future', sql, breaking }];
  return [...extensions, { name: 'future', store: { migrations } }];
};

/** Starts a padron of some extensions that may not be ready. */
async function startWaiting(rig: EngineRig, environment: Readonly<Record<string, string>>, parts = extensions) {
  const service = await startSandbox({});
  const log: string[] = [];
  const write = (line: string) => void log.push(line);
  const config = readConfig({ PORT: '0', REGISTRY_URL: service.url, ...environment });
  const padron = await startPadron(config, createLogger('info', { write }), parts, { graph: buildGraph() });
  rig.atEnd(async () => {
    await padron.stop();
    await service.close();
  });
  const readiness = async () => {
    const response = await fetch(new URL('/health/ready', padron.url));
    const { status } = (await response.json()) as { readonly status: string };
    return [response.status, status];
  };
  return {
    log,
    readiness,
    /** Waits until the log says why the store is unavailable. */
    reasons: async () => {
      const found = () => log.map((line) => JSON.parse(line)).flatMap(({ reason }) => reason ?? []);
      await waitUntil(() => found().length > 0);
      return found();
    },
    ask: async () => (await post(padron.url, question)).data.person.credit,
    calls: () => service.calls.filter(({ units }) => units > 0).map(({ endpoint }) => endpoint),
    untilReady: () => waitUntil(async () => (await readiness())[0] === 200),
  };
}

describe('the command `padron migrate`', () => {
  const rig = ownServerRig();

  it('creates the tables of an empty store with its address only, and has nothing to do the second time', async () => {
    const { DATABASE_URL = '' } = (await rig.emptySettings()).environment;
    const { host } = new URL(DATABASE_URL);
    const file = join(rig.folder(), 'url');
    writeFileSync(file, `${DATABASE_URL.replace('padron@', `padron:${secretOfDatabase}@`)}\n`);
    const environment = { DATABASE_URL_FILE: file, NODE_ENV: 'production', PORT: 'invalid' };
    const first = await builtCommand(['migrate'], environment);
    expect(first).toEqual({
      code: 0,
      text: '',
      output: expect.stringMatching(/^Applied: ledger-tables, .*-functions\.\n/),
    });
    expect(first.output).toContain(`PostgreSQL at ${host} is at version ${newest}.\n`);
    const output = `Applied: nothing.\nPostgreSQL at ${host} is at version ${newest}.\n`;
    expect(await padronCommand(['migrate'], environment)).toEqual({ code: 0, text: '', output });
  });

  it('migrates a folder that no padron uses', async () => {
    const DATA_DIR = rig.folder();
    expect(await padronCommand(['migrate'], { DATA_DIR })).toMatchObject({ code: 0 });
    const store = await openStore({ kind: 'folder', path: DATA_DIR }, storeMigrations);
    const used = await padronCommand(['migrate'], { DATA_DIR });
    expect([used.code, used.text]).toEqual([4, expect.stringContaining(`is in use by process ${process.pid}`)]);
    await store.close();
  });

  it.each([
    ['has no store', {}, 2, 'Set DATABASE_URL or DATA_DIR'],
    ['has an address that is none', { DATABASE_URL: `hunter2:${secretOfDatabase}` }, 2, 'DATABASE_URL must be a URL'],
    [
      'cannot reach the server',
      { DATABASE_URL: `postgres://padron:${secretOfDatabase}@127.0.0.1:9/padron` },
      4,
      'PostgreSQL at 127.0.0.1:9 was not migrated. PostgreSQL cannot be reached (ECONNREFUSED).',
    ],
    ['cannot write the folder', { DATA_DIR: __filename }, 4, 'DATA_DIR cannot be written'],
  ])('says so if it %s, without secrets', async (_what, environment, code, message) => {
    const ended = await padronCommand(['migrate'], environment);
    expect(ended).toMatchObject({ code, output: '', text: expect.stringContaining(message) });
    expect(ended.text).not.toContain('hunter2');
    expect((await padronCommand(['migrate', '--force'], environment)).code).toBe(2);
  });

  it('leaves a store of a newer version as it is', async () => {
    const { store, environment } = await rig.emptySettings();
    expect((await migrateStore([], environment, nextVersion(false))).code).toBe(0);
    const message = 'was migrated by a newer version of padron (of-the-future)';
    expect(await padronCommand(['migrate'], environment)).toMatchObject({
      code: 4,
      text: expect.stringContaining(message),
    });
    expect(store.kind).toBe('postgres');
  });
});

describe('a process whose store is one version behind, with MIGRATE=command', () => {
  const rig = engineRig('postgres');

  it('is not ready and says so, until one of two commands at once has migrated the store', async () => {
    const { environment } = await rig.settings();
    const newer = nextVersion(false);
    const padron = await startWaiting(rig, { ...environment, MIGRATE: 'command' }, newer);
    expect(await padron.readiness()).toEqual([503, 'starting']);
    expect(await padron.reasons()).toEqual([
      `The store is at version ${newest}, and this version of padron needs version ${newest + 1} with of-the-future. Run \`padron migrate\` of this version, as a user with CREATE on the schema.`,
    ]);
    const refused = await padron.ask();
    expect([refused.problems, padron.calls()]).toEqual([[{ code: 'LEDGER_UNAVAILABLE' }], []]);
    const both = await Promise.all([1, 2].map(() => migrateStore([], environment, newer)));
    expect(both.map(({ code, text }) => [code, text.split('\n')[0]]).sort()).toEqual([
      [0, 'Applied: nothing.'],
      [0, 'Applied: of-the-future.'],
    ]);
    await padron.untilReady();
    expect(await padron.ask()).toEqual({ outcome: 'FOUND', problems: [] });
    expect(padron.calls()).toEqual(['POST /api/infonavit/grupo/buscar-credito']);
  });

  it('does not stop processes of the earlier version. The command does, if the migration is breaking', async () => {
    const { environment } = await rig.settings();
    const earlier = startProcess({ PORT: '0', ...environment });
    await earlier.address();
    const newer = nextVersion(true);
    const padron = await startWaiting(rig, { ...environment, MIGRATE: 'command' }, newer);
    expect(await padron.readiness()).toEqual([503, 'starting']);
    expect(earlier.child.exitCode).toBeNull();
    const waits = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const migrated = await migrateStore([], environment, newer);
    expect([migrated.code, await earlier.ended()]).toEqual([0, superseded]);
    expect(waits.mock.calls).toEqual([['Waiting for the end of the processes of earlier versions: 1.\n']]);
    waits.mockRestore();
    await padron.untilReady();
  });
});

describe('a process whose user of PostgreSQL may not change tables', () => {
  const rig = ownServerRig();

  it('waits for the command of a user that may, and then needs no other right than to use the tables', async () => {
    const { environment } = await rig.emptySettings();
    const owner = environment.DATABASE_URL ?? '';
    await rig.cluster.run('CREATE ROLE app LOGIN');
    const DATABASE_URL = owner.replace('padron@', `app:${secretOfDatabase}@`);
    const own = await openStore({ kind: 'postgres', url: owner }, []);
    await own.query('ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO app');
    await own.query('ALTER DEFAULT PRIVILEGES GRANT USAGE ON SEQUENCES TO app');
    await own.close();
    const padron = await startWaiting(rig, { DATABASE_URL, DATA_KEYS: LONG_SECRET });
    expect(await padron.readiness()).toEqual([503, 'starting']);
    const reason = 'Run `padron migrate` of this version, as a user with CREATE on the schema.';
    expect(await padron.reasons()).toEqual([expect.stringContaining(reason)]);
    const refused = await padronCommand(['migrate'], { DATABASE_URL });
    expect(refused).toMatchObject({ code: 4, text: expect.stringContaining(reason) });
    expect([...padron.log, refused.text].join()).not.toContain('hunter2');
    expect(await padronCommand(['migrate'], { DATABASE_URL: owner })).toMatchObject({ code: 0 });
    await padron.untilReady();
    expect(await padron.ask()).toEqual({ outcome: 'FOUND', problems: [] });
    expect(padron.calls()).toEqual(['POST /api/infonavit/grupo/buscar-credito']);
    expect(padron.log.filter((line) => line.includes('internal error'))).toEqual([]);
  });
});
