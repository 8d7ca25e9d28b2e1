import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPackages, manifestOf, pack } from '../support/packages';

const run = promisify(execFile);
const root = join(__dirname, '../..');
const manifest = manifestOf('schema/client');
const entryPoints = ['', '/apollo', '/urql', '/texts', '/units'];

describe('padron-client, packed', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'padron-client-'));
    installPackages(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has the version of padron', () => {
    expect(manifest.version).toBe(manifestOf('.').version);
  });

  it('has no dependencies, and no peer but graphql that a frontend must install', () => {
    const required = Object.keys(manifest.peerDependencies).filter(
      (name) => !manifest.peerDependenciesMeta[name]?.optional,
    );
    expect([manifest.dependencies, required]).toEqual([undefined, ['graphql']]);
  });

  it('takes at most 5 MB', () => {
    const contents = join(folder, 'node_modules/padron-client');
    const sizes = readdirSync(contents, { recursive: true, encoding: 'utf8' }).map(
      (file) => statSync(join(contents, file)).size,
    );
    expect(sizes.length).toBeGreaterThan(30);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_000_000);
  });

  it.each([
    ['publint', ['--strict'], /All good!/],
    // It exits with 1 if it finds something.
    [
      'attw',
      ['--profile', 'node16', '--no-emoji', '--format', 'ascii'],
      /"padron-client\/units"\s+node16 \(from CJS\): OK/,
    ],
  ])('is published without a finding of %s', async (name, args, nothing) => {
    // CI may ask for colours, which would be among the words.
    const env = { ...process.env, FORCE_COLOR: '0' };
    const { stdout } = await run('npx', [name, ...args, pack('schema/client', folder)], { cwd: root, env });
    expect(stdout).toMatch(nothing);
  });

  it.each([
    ['ES modules', '--input-type=module', (name: string) => `await import('${name}')`],
    ['CommonJS', '--input-type=commonjs', (name: string) => `require('${name}')`],
  ])('loads as %s with the same exports', async (_, type, load) => {
    const exported = entryPoints.map((entry) => `...Object.keys(${load(`padron-client${entry}`)})`);
    const { stdout } = await run(process.execPath, [type, '--eval', `console.log(${exported.join()})`], {
      cwd: folder,
    });
    const names = stdout.trim().split(' ');
    expect(names.filter((name) => !['default', 'module.exports'].includes(name)).sort()).toEqual(
      [
        ...['isFound', 'isPending', 'isTrusted', 'toBase64', 'toFile'],
        ...['buyOnce', 'possibleTypes', 'retryFailed', 'typePolicies', 'unitsLink'],
        ...['keys', 'possibleTypes', 'resolvers', 'retryFailed', 'unitsExchange'],
        ...['codeOfError', 'errorTexts', 'problemTexts', 'textOfError', 'textOfProblem'],
        ...['addUnits', 'priceOf', 'readUnits'],
      ].sort(),
    );
  });

  it('prices operations where no other package is installed', async () => {
    const alone = mkdtempSync(join(tmpdir(), 'padron-alone-'));
    await run('tar', ['-xzf', pack('schema/client', alone), '-C', alone]);
    symlinkSync(join(root, 'schema/examples'), join(alone, 'examples'));
    const command = join(alone, 'package', manifest.bin['padron-client']);
    const price = (...args: readonly string[]) => run(process.execPath, [command, ...args], { cwd: alone });
    expect((await price()).stdout).toMatch(/^padron-client <command>\n\n {2}price /);
    expect((await price('price', '--help')).stdout).toMatch(/^padron-client price /);
    expect((await price('price', 'examples/person-profile.graphql')).stdout).toContain('PersonProfile  6          5');
    rmSync(alone, { recursive: true });
  });
});
