import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtInAccounts } from '../../src/extensions/sandbox/accounts/accounts';
import { padronForTests } from '../support/padrons/padron-for-tests';
import { buildGraph } from '../support/padrons/whole-padron';
import { blocksOf, matchesOf, pages, readPage, tableOf } from '../support/pages';
import { cardTable } from './readme-cards';

const run = promisify(execFile);
const root = join(__dirname, '../..');

describe('the README and the documents beside it', () => {
  const padron = padronForTests();

  const curl = async (command: string, folder: string): Promise<unknown> => {
    const here = command.replace('http://127.0.0.1:4000/graphql', padron.url).replace('curl ', 'curl -sS ');
    const { stdout } = await run('bash', ['-c', here], { cwd: folder });
    return JSON.parse(stdout);
  };

  it('are short at the front', () => {
    expect(readPage('README.md').text.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  });

  it('show queries whose answers are the ones shown', async () => {
    const shown = matchesOf(/^```sh\n(curl [\s\S]*?)^```\s+```json\n([\s\S]*?)^```/gm);
    const varies = (text: string): string =>
      text.replace(/"validationCode":"\w{20}"/, '"validationCode":""').replace(/"(at|ms)":\d+/g, '"$1":0');
    for (const [, command = '', json = ''] of shown) {
      const answer = await curl(command, root);
      expect(JSON.parse(varies(JSON.stringify(answer)))).toEqual(JSON.parse(varies(JSON.stringify(JSON.parse(json)))));
    }
    expect(shown.length).toBe(blocksOf('json').length);
    expect(shown[0]?.[0]).toContain('04159600263');
  });

  it('show an address of the error reference that answers', async () => {
    const command = blocksOf('sh').find((block) => block.includes('/graphql/errors/')) ?? '';
    const { stdout } = await run('bash', ['-c', command.replace('http://127.0.0.1:4000/graphql', padron.url)]);
    expect(stdout).toContain('BAD_USER_INPUT');
  });

  it('name variables that answer, in each example', async () => {
    const folder = join(root, 'schema/examples');
    const named = readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .filter((text) => text.includes('# Variables'));
    for (const query of named) {
      const variables = JSON.parse(/# Variables for the sandbox: (.*)/.exec(query)?.[1] ?? '');
      const { data, errors } = await padron.ask(query, variables);
      expect(errors).toBeUndefined();
      expect(JSON.stringify(data)).toContain('"outcome":"FOUND"');
    }
    expect(named.length).toBe(7);
  });

  it('show an upload that verifies', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'padron-readme-'));
    await run('npx', ['tsx', 'src/extensions/sandbox/main.ts', '--credential', folder], { cwd: root });
    const command = blocksOf('sh').find((block) => block.includes('-F ')) ?? '';
    const answer = await curl(command, folder);
    rmSync(folder, { recursive: true });
    expect(answer).toMatchObject({ data: { verifySignature: { outcome: 'FOUND', valid: true, problems: [] } } });
  });

  it('list the accounts of the sandbox and its test cards', () => {
    const tokens = tableOf('token').map(([token = '']) => token.replaceAll('`', ''));
    expect(tokens.sort()).toEqual(builtInAccounts.map(({ token }) => token).sort());
    expect(readPage('docs/sandbox.md').text).toContain(cardTable());
  });

  it('list the scope of every endpoint without a permission, and the fields that need it', () => {
    const documented = tableOf('JWT scope').map(([scope = '', fields = '']) => [
      scope.replaceAll('`', ''),
      [...fields.matchAll(/`([A-Z]\w+\.\w+)`/g)].map(([, coordinate]) => coordinate),
    ]);
    const unnamed = buildGraph().catalogue.filter(({ endpoint }) => endpoint.permission === null);
    expect(unnamed.length).toBeGreaterThan(0);
    for (const { endpoint, fields } of unnamed) expect(documented).toContainEqual([endpoint.scope, [...fields]]);
  });

  it('name only commands that package.json knows', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const texts = [...pages, readPage('CONTRIBUTING.md')].map(({ text }) => text);
    const named = texts.flatMap((text) =>
      [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
