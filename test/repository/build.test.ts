import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, parse } from 'node:path';

const root = join(__dirname, '../..');
const built = ['dist/main.js', 'dist/explorer/manifest.json', 'dist/store/embedded', 'schema/client/dist/command.js'];

/** Programs that the build starts. Each writes the result of its step instead of building it. */
const stubs = {
  'node_modules/typescript/bin/tsc': 'dist/main.js',
  'src/extensions/explorer/page/build.mjs': 'dist/explorer/manifest.json',
  'src/store/embedded/make-template.mjs': 'dist/store/embedded/template',
};

function write(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

describe('the build', () => {
  it('builds again the steps that read a changed file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'padron-build-'));
    cpSync(join(root, 'scripts/build.mjs'), join(folder, 'scripts/build.mjs'));
    for (const name of ['typescript', 'esbuild']) write(folder, `node_modules/${name}/package.json`, '{}');
    for (const [program, result] of Object.entries(stubs)) {
      const { dir, base } = parse(result);
      write(
        folder,
        program,
        `const { mkdirSync, writeFileSync } = process.getBuiltinModule('node:fs');
mkdirSync('${dir}', { recursive: true });
writeFileSync('${dir}/${base}', '');`,
      );
    }
    const inputs = [
      'src/main.ts',
      'src/identifiers/text.ts',
      'schema/client/units.ts',
      'schema/explorer-settings.d.ts',
      'src/extensions/notes/panel/panel.tsx',
    ];
    for (const file of ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', ...inputs])
      write(folder, file, '');
    const build = (): readonly string[] => {
      const { stdout } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, encoding: 'utf8' });
      return [...stdout.matchAll(/building (.+?) …/g)].map(([, step = '']) => step);
    };
    const builtAfter = (file: string): readonly string[] => {
      write(folder, file, `// ${file}`);
      return build();
    };
    expect(build()).toEqual(['the server', 'the explorer', 'the template of the embedded store']);
    expect(build()).toEqual([]);
    expect(inputs.map(builtAfter)).toEqual([
      ['the server'],
      ['the server', 'the explorer'],
      ['the explorer'],
      ['the explorer'],
      ['the explorer'],
    ]);
    rmSync(folder, { recursive: true });
  });
});

describe('the build without the development dependencies', () => {
  it.each([
    ['uses what is in dist/, and says so', built, 0, /^padron: uses the build in dist\/.*\n$/],
    [
      'fails if there is none, and says what to run',
      [],
      1,
      /^padron is not built\. Run "npm ci && npm run build".*\n$/,
    ],
    ['fails if a part of it is missing', built.slice(1), 1, /^padron is not built/],
  ])('%s', (_what, files, code, output) => {
    const folder = mkdtempSync(join(tmpdir(), 'padron-build-'));
    cpSync(join(root, 'scripts/build.mjs'), join(folder, 'scripts/build.mjs'));
    for (const part of ['src', 'dist/explorer', 'dist/store', 'schema/client/entries', 'schema/client/dist'])
      mkdirSync(join(folder, part), { recursive: true });
    for (const file of files) writeFileSync(join(folder, file), '');
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect([status, stderr]).toEqual([code, expect.stringMatching(output)]);
  });
});
