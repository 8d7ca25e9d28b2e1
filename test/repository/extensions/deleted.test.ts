import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../../src/extensions/sandbox/service';
import { post } from '../../support/padrons/padron';
import { ownExtensions } from '../../support/padrons/settings';

const root = join(__dirname, '../../..');

/** A copy of src/ without the folder of an extension, and without its lines in the lists. */
function copyWithout(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `padron-without-${name}-`));
  cpSync(join(root, 'src'), join(folder, 'src'), {
    recursive: true,
    filter: (file) => !file.startsWith(join(root, 'src/extensions', name)),
  });
  for (const file of ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'docs', 'schema'])
    cpSync(join(root, file), join(folder, file), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const list = join(folder, 'src/extensions.ts');
  const lines = readFileSync(list, 'utf8').split('\n');
  const kept = lines.filter((line) => !line.includes(`/extensions/${name}/`)).join('\n');
  writeFileSync(list, kept.replace(new RegExp(`(?<=\\[.*)\\b${name}(, |(?=\\]))`), '').replace(', ]', ']'));
  return folder;
}

async function askWithout(folder: string, registryUrl: string): Promise<unknown> {
  const environment = { PATH: process.env.PATH, PORT: '0', REGISTRY_URL: registryUrl };
  const padron = spawn(process.execPath, ['dist/main.js'], { cwd: folder, env: environment });
  try {
    const [greeting] = (await once(padron.stderr, 'data')) as [Buffer];
    const url = /http:\S+\/graphql/.exec(greeting.toString())?.[0] ?? greeting.toString();
    const query = '{ person(nss: "04159600263") { credit { outcome evidence { units } } licences { outcome } } }';
    return (await post(url, { query })).data;
  } finally {
    padron.kill('SIGTERM');
    await once(padron, 'exit');
  }
}

describe('a copy of padron without the folder of an extension', () => {
  it.each(ownExtensions)('compiles, answers a profile and pays for it: %s', async (name) => {
    const folder = copyWithout(name);
    const sandbox = await startSandbox();
    try {
      const compile = ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json'];
      const { stdout, status } = spawnSync(process.execPath, compile, { cwd: folder, encoding: 'utf8' });
      expect([stdout, status]).toEqual(['', 0]);
      // The compiler leaves out the SQL that modules read from their folders.
      cpSync(join(root, 'src/money'), join(folder, 'dist/money'), {
        recursive: true,
        filter: (file) => !file.endsWith('.ts'),
      });
      const profile = { credit: { outcome: 'FOUND', evidence: { units: 1 } }, licences: { outcome: 'FOUND' } };
      expect(await askWithout(folder, sandbox.url)).toEqual({ person: profile });
      expect(sandbox.calls.map(({ units }) => units)).toEqual([1, 1]);
    } finally {
      await sandbox.close();
      rmSync(folder, { recursive: true });
    }
  });
});
