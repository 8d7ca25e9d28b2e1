import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { readConfig } from '../../../src/config/config';
import { extensions } from '../../../src/extensions';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { startPadron } from '../../../src/server/start';
import { createLogger } from '../../../src/server/telemetry/logger';
import { post } from '../../support/padrons/padron';
import { notes } from './notes';

const root = join(__dirname, '../../..');
const page = readFileSync(join(root, 'docs/extensions.md'), 'utf8');
const [, code] = /^```ts\n([\s\S]*?)^```/m.exec(page) ?? [];

describe('the endpoint file of docs/extensions.md', () => {
  it('is the one that the example installs and runs', () => {
    const [, shown] = /^```js\n([\s\S]*?)^```/m.exec(page) ?? [];
    expect(shown).toBe(readFileSync(join(root, 'examples/endpoint/postal-codes.mjs'), 'utf8'));
  });
});

describe('the extension of docs/extensions.md', () => {
  it('is the one that compiles and runs here, and takes at most 60 lines', () => {
    const notesHere = readFileSync(join(__dirname, 'notes.ts'), 'utf8');
    expect(code).toBe(notesHere.replaceAll("'../../../src/", "'../../"));
    expect(notesHere.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });

  it('counts the notes of an account, and is off by default', async () => {
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
