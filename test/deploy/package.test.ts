import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { manifestOf, pack } from '../support/packages';
import { freePort } from '../support/processes/free-port';

const run = promisify(execFile);
/** npm packs about 10,000 files. */
const patience = 300_000;

describe('padron, packed and installed in an empty folder', () => {
  let folder: string;
  let reported: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'padron-package-'));
    const file = pack('.', folder);
    const { stderr } = await run('npm', ['install', file, '--engine-strict=true', '--no-audit', '--no-fund'], {
      cwd: folder,
    });
    reported = stderr;
  }, patience);
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Returns the packages that a lock file lists, with their versions. */
  const listPackages = (file: string, within = ''): readonly string[] => {
    const { packages: listed } = JSON.parse(readFileSync(file, 'utf8'));
    return Object.entries<{ readonly version: string; readonly dev?: boolean }>(listed)
      .filter(([path, { dev }]) => path.startsWith(`${within}node_modules/`) && !dev)
      .map(([path, { version }]) => `${path.slice(within.length)}@${version}`)
      .sort();
  };
  it('prints no warning, even if npm insists on the engines of packages', () => {
    expect(reported).toBe('');
  });

  it('installs the versions that were tested, and no other', () => {
    const tested = listPackages(join(__dirname, '../../package-lock.json'));
    expect(tested.length).toBeGreaterThan(200);
    expect(listPackages(join(folder, 'package-lock.json'), 'node_modules/padron/')).toEqual(tested);
  });

  it('takes at most 170 MB', async () => {
    const { stdout } = await run('du', ['-sm', 'node_modules'], { cwd: folder });
    expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(170);
  });

  it('needs no compiler, no code of browsers and no test', () => {
    const unwanted =
      /^(typescript|esbuild|tsx|@swc\/core|react|react-dom|graphiql|monaco-editor|jest|playwright-core)$/;
    const names = readdirSync(join(folder, 'node_modules/padron/node_modules'));
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg']));
    expect(names.filter((name) => unwanted.test(name))).toEqual([]);
    const files = readdirSync(join(folder, 'node_modules/padron'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => !file.startsWith('node_modules/'),
    );
    // The types of endpoint files are for their authors.
    expect(files.filter((file) => /\.test\.|\.tsx?$/.test(file))).toEqual(['schema/extension.d.ts']);
  });

  it('lists its commands', async () => {
    const { stdout } = await run('npx', ['padron'], { cwd: folder });
    expect(stdout).toMatch(/^padron <command>\n\n {2}start /);
  });

  it('serves the graph with its sandbox, and the prebuilt explorer', async () => {
    const port = await freePort();
    const startedAt = Date.now();
    // npx, its shell and padron are one group, as they are for Ctrl-C in a terminal.
    const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', PORT: String(port) };
    const child = spawn('npx', ['padron', 'start'], { cwd: folder, env, detached: true, stdio: 'pipe' });
    const exit = once(child, 'close');
    let written = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (written += String(bytes)));
    try {
      while (!written.includes('token: ') && child.exitCode === null) await new Promise((next) => setTimeout(next, 20));
      expect(written).toContain('token: sandbox-token');
      await expectGraphAndExplorer(`http://127.0.0.1:${port}/graphql`);
      expect(changedSince(startedAt)).toEqual([]);
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGINT');
      await exit;
    }
  });

  async function expectGraphAndExplorer(url: string): Promise<void> {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` },
      body: JSON.stringify({ query: '{ person(nss: "04159600263") { credit { outcome record { names } } } }' }),
    });
    expect(await answer.json()).toMatchObject({
      data: { person: { credit: { outcome: 'FOUND', record: { names: 'URIEL' } } } },
    });
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const assets = [...page.matchAll(/(?:href|src)="(graphql\/explorer\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(assets.filter((path) => /\.(js|css)$/.test(path)).length).toBeGreaterThan(3);
    const statuses = await Promise.all(assets.map(async (path) => (await fetch(new URL(path, url))).status));
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  }

  const changedSince = (time: number): readonly string[] => {
    const installed = join(folder, 'node_modules/padron');
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    return files.filter((file) => statSync(join(installed, file)).mtimeMs >= time);
  };

  it('contains every page and example, and none of the client kit, which is a separate package', () => {
    const file = (path: string): boolean => existsSync(join(folder, 'node_modules/padron', path));
    const pages = ['README.md', 'README.es.md', 'SECURITY.md', 'CHANGELOG.md', 'LICENSE', 'llms.txt', 'docs/errors.md'];
    expect([...pages, 'schema/api.graphql', 'schema/examples'].filter((path) => !file(path))).toEqual([]);
    expect(file('schema/client')).toBe(false);
    expect(manifestOf('.').private).toBeUndefined();
  });
});
