import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const built = ['dist/main.js', 'dist/explorer/manifest.json', 'dist/store/embedded', 'schema/client/dist/command.js'];

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
