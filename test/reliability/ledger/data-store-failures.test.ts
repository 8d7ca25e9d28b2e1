import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readDataKeys } from '../../../src/store/key-ring';
import { openStore } from '../../../src/store/open-store';
import { LONG_SECRET } from '../../support/padrons/settings';
import { startProcess } from '../../support/processes/process';
import { engineRig, ownServerRig } from '../../support/stores/engines';
import { storeMigrations } from '../../support/stores/store-migrations';

const { version } = JSON.parse(readFileSync('node_modules/@electric-sql/pglite/package.json', 'utf8')) as {
  readonly version: string;
};

async function expectNoStart(settings: Readonly<Record<string, string>>, message: string): Promise<void> {
  const padron = startProcess({ PORT: '0', ...settings });
  expect(await padron.ended()).toBe(1);
  expect(padron.output()).toContain(message);
  expect(padron.output()).not.toContain('hunter2');
}

describe('a data folder', () => {
  const rig = engineRig('embedded');
  const newerOf = (folder: string, change: (text: string) => string): void => {
    const marker = join(folder, 'store', 'padron.json');
    writeFileSync(marker, change(readFileSync(marker, 'utf8')));
  };

  it('is used by one process: a second one does not start, and names the first', async () => {
    const folder = rig.folder();
    const store = await openStore({ kind: 'folder', path: folder }, []);
    const link = join(rig.folder(), 'link');
    symlinkSync(folder, link);
    for (const DATA_DIR of [folder, link])
      await expectNoStart({ DATA_DIR }, `DATA_DIR is in use by process ${process.pid}`);
    await store.query('SELECT 1');
    await store.close();
    await openStore({ kind: 'folder', path: folder }, []).then((again) => again.close());
  });

  it('of another PGlite or another program is rejected and not changed', async () => {
    const folder = rig.folder();
    await openStore({ kind: 'folder', path: folder }, []).then((store) => store.close());
    newerOf(folder, (text) => text.replace(/"pglite":"[\d.]+"/, '"pglite":"9.9.9"'));
    const opened = openStore({ kind: 'folder', path: folder }, []);
    await expect(opened).rejects.toThrow(/was made by PGlite 9\.9\.9 \(PostgreSQL 18\)/);
    // Another patch version opens it, if it is for the same major version of PostgreSQL.
    newerOf(folder, (text) => text.replace(/"9\.9\.9"/, `"${version.replace(/\d+$/, '999')}"`));
    await openStore({ kind: 'folder', path: folder }, []).then((store) => store.close());
    writeFileSync(join(folder, 'store', 'PG_VERSION'), '12\n');
    await expect(openStore({ kind: 'folder', path: folder }, [])).rejects.toThrow(/PostgreSQL 12/);
    const strange = rig.folder();
    writeFileSync(join(strange, 'store'), 'a file');
    await expect(openStore({ kind: 'folder', path: strange }, [])).rejects.toThrow(/is not a data folder of padron/);
  });

  it('that is damaged or not writable prevents the start, with a clear message', async () => {
    const file = join(rig.folder(), 'file');
    writeFileSync(file, '');
    const broken = rig.folder();
    await openStore({ kind: 'folder', path: broken }, []).then((store) => store.close());
    writeFileSync(join(broken, 'store', 'PG_VERSION'), '12\n');
    await expectNoStart({ DATA_DIR: file }, 'DATA_DIR cannot be written (EEXIST).');
    await expectNoStart({ DATA_DIR: broken }, 'DATA_DIR cannot be used. The embedded store cannot be opened');
  });

  it('has its own keys in a file that only its owner can read', () => {
    const path = rig.folder();
    const first = readDataKeys({ kind: 'folder', path }, []);
    expect(first.areBesideData).toBe(true);
    expect(statSync(join(path, 'keys')).mode & 0o777).toBe(0o600);
    expect(readDataKeys({ kind: 'folder', path }, []).ring.newest.id).toBe(first.ring.newest.id);
    const withSecret = readDataKeys({ kind: 'folder', path }, [LONG_SECRET]);
    expect(withSecret.areBesideData).toBe(false);
    expect(withSecret.ring.versions.map(({ id }) => id)).toContain(first.ring.newest.id);
    expect(withSecret.ring.newest.id).not.toBe(first.ring.newest.id);
  });
});

describe('a PostgreSQL', () => {
  const rig = ownServerRig();
  const settingsOf = (url: string) => ({ DATABASE_URL: url, DATA_KEYS: LONG_SECRET });

  it('without the database prevents the start, and the message contains no secret', async () => {
    const url = (await rig.cluster.createDatabase()).replace('padron@', 'padron:hunter2-secret@');
    const nowhere = settingsOf(url.replace(/\/padron_\w+$/, '/nowhere'));
    await expectNoStart(nowhere, 'DATABASE_URL cannot be used: the server has no such database.');
  });

  it.each([
    ['is empty', async () => undefined, 'The store is at version 0'],
    [
      'has a ledger that the user can only read',
      async (url: string) => (await openStore({ kind: 'postgres', url }, storeMigrations)).close(),
      'this user lacks privileges that padron needs',
    ],
  ])('whose user may not create tables is waited for if it %s', async (_what, prepare, reason) => {
    const url = await rig.cluster.createDatabase();
    await prepare(url);
    const reader = `reader_${randomUUID().slice(0, 8)}`;
    await rig.cluster.run(`CREATE ROLE ${reader} LOGIN IN ROLE pg_read_all_data`);
    const settings = settingsOf(url.replace('padron@', `${reader}@`));
    const padron = startProcess({ PORT: '0', ...settings });
    expect(await padron.says('the store of the ledger is unavailable')).toContain(reason);
    const { status } = await fetch(new URL('/health/ready', await padron.address()));
    expect([status, await padron.stop()]).toEqual([503, 0]);
  });

  it('that is unavailable or never answers does not prevent the start', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { readonly port: number };
    for (const address of [`127.0.0.1:${port}`, '127.0.0.1:9']) {
      const padron = startProcess({ PORT: '0', ...settingsOf(`postgres://padron@${address}/padron`) });
      expect(await padron.address()).toContain('/graphql');
      padron.child.kill('SIGTERM');
      expect(await padron.ended()).toBe(0);
    }
    silent.close();
  });
});
