import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { readConfig } from '../../../src/config/config';
import type { Extension } from '../../../src/extension';
import { extensions } from '../../../src/extensions';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { startPadron } from '../../../src/server/start';
import { createLogger } from '../../../src/server/telemetry/logger';
import { post } from '../../support/padrons/padron';

const root = join(__dirname, '../../..');
const [, code = ''] = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync(join(root, 'docs/extensions.md'), 'utf8')) ?? [];

/** A folder like src/, whose only extension is the one of the page. */
function writeExample(): string {
  const folder = mkdtempSync(join(tmpdir(), 'padron-extension-'));
  mkdirSync(join(folder, 'src/extensions/notes'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const name of readdirSync(join(root, 'src')).filter((entry) => entry !== 'extensions'))
    symlinkSync(join(root, 'src', name), join(folder, 'src', name));
  writeFileSync(join(folder, 'src/extensions/notes/extension.ts'), code);
  const options = { extends: join(root, 'tsconfig.json'), include: ['src/extensions'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  return folder;
}

describe('the extension of docs/extensions.md', () => {
  const folder = writeExample();
  afterAll(() => rmSync(folder, { recursive: true }));

  it('compiles, and takes at most 60 lines', () => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [compiler, '--project', folder], { encoding: 'utf8' });
    expect([stdout, status]).toEqual(['', 0]);
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });

  it('counts the notes of an account, and is off by default', async () => {
    const { notes } = require(join(folder, 'src/extensions/notes/extension.ts')) as { readonly notes: Extension };
    const all = [...extensions, notes];
    const counted = async (environment: Readonly<Record<string, string>>): Promise<unknown> => {
      const settings = { PORT: '0', ...environment };
      const padron = await startPadron(readConfig(settings, all), createLogger('silent'), all);
      try {
        const headers = { authorization: `Bearer ${SANDBOX_TOKEN}` };
        const { statusCode } = await request(new URL('/notes', padron.url), { method: 'POST', headers });
        const { data } = await post(padron.url, { query: '{ registryNotes }' });
        return [statusCode, data.registryNotes];
      } finally {
        await padron.stop();
      }
    };
    expect(await counted({ NOTES: 'on' })).toEqual([204, 1]);
    expect(await counted({})).toEqual([404, null]);
  });
});
