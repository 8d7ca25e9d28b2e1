import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { startSandbox } from '../../../src/extensions/sandbox/service';
import { post } from '../../support/padrons/padron';
import { ownExtensions } from '../../support/padrons/settings';
import { startProcess } from '../../support/processes/process';

const root = join(__dirname, '../../..');
const nameOf = (file: string): string | undefined => /^src\/extensions\/([^/]+)\//.exec(file)?.[1];

/** Returns the imports of an extension by a file that is not in its folder, also those of types: it would not compile without the folder. */
function foreignImports(file: string): readonly string[] {
  const specifiers = readFileSync(join(root, file), 'utf8').matchAll(
    /(?:from|import|import\(|require\()\s*['"](\.[^'"]+)['"]/g,
  );
  return [...specifiers]
    .map(([, specifier = '']) => posix.join(posix.dirname(file), specifier))
    .filter((imported) => ![undefined, nameOf(file)].includes(nameOf(imported)))
    .map((imported) => `${file} imports ${imported}`);
}

/** A copy of the built padron without the folder of an extension, and without its lines in the list. */
function copyWithout(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `padron-without-${name}-`));
  const deleted = join(root, 'dist/extensions', name);
  cpSync(join(root, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (file) => file !== deleted && (statSync(file).isDirectory() || /\.(js|sql)$/.test(file)),
  });
  for (const file of ['package.json', 'docs', 'schema', 'node_modules'])
    symlinkSync(join(root, file), join(folder, file));
  const list = join(folder, 'dist/extensions.js');
  const lines = readFileSync(list, 'utf8').split('\n');
  const kept = lines.filter((line) => !line.includes(`/extensions/${name}/`)).join('\n');
  writeFileSync(list, kept.replace(new RegExp(`\\bextension_\\d+\\.${name}(, |(?=\\]))`), '').replace(', ]', ']'));
  return folder;
}

describe('a copy of padron without the folder of an extension', () => {
  it('compiles, because only the list imports an extension from outside', () => {
    // The panels run in the explorer's page, and are deleted with it.
    const files = (readdirSync(join(root, 'src'), { recursive: true }) as string[])
      .map((file) => posix.join('src', file))
      .filter((file) => /\.tsx?$/.test(file) && !/^src\/(extensions\.ts$|extensions\/[^/]+\/panel\/)/.test(file));
    expect(files.length).toBeGreaterThan(300);
    expect(files.flatMap(foreignImports)).toEqual([]);
  });

  it.each(ownExtensions)('answers a profile and pays for it: %s', async (name) => {
    const folder = copyWithout(name);
    const sandbox = await startSandbox();
    const { child, address, ended } = startProcess(
      { PORT: '0', REGISTRY_URL: sandbox.url },
      { program: posix.relative(join(root, 'dist'), join(folder, 'dist/main.js')) },
    );
    try {
      const query = '{ person(nss: "04159600263") { credit { outcome evidence { units } } licences { outcome } } }';
      const profile = { credit: { outcome: 'FOUND', evidence: { units: 1 } }, licences: { outcome: 'FOUND' } };
      expect((await post(await address(), { query })).data).toEqual({ person: profile });
      expect(sandbox.calls.map(({ units }) => units)).toEqual([1, 1]);
    } finally {
      child.kill('SIGTERM');
      await ended();
      await sandbox.close();
      rmSync(folder, { recursive: true });
    }
  });
});
