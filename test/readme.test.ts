import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { problemCodes } from '../src/registry/problem';
import { builtInAccounts } from '../src/sandbox/accounts';
import { type RunningPadron, runPadron } from './support/padron';
import { cardTable } from './support/readme-cards';

const run = promisify(execFile);
const root = join(__dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The fenced blocks of a language, in order. */
function blocks(language: string): readonly string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  );
}

/** Cells of the table whose first heading is given. */
function table(heading: string): readonly (readonly string[])[] {
  const lines = readme.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('the README', () => {
  let padron: RunningPadron;
  beforeAll(async () => {
    padron = await runPadron();
  });
  afterAll(() => padron.stop());

  const curl = async (command: string, folder: string): Promise<unknown> => {
    const here = command.replace('http://127.0.0.1:4000/graphql', padron.url).replace('curl ', 'curl -sS ');
    const { stdout } = await run('bash', ['-c', here], { cwd: folder });
    return JSON.parse(stdout);
  };

  it('shows a first query whose answer is the one shown', async () => {
    const command = blocks('sh').find((block) => block.startsWith('curl') && block.includes('04159600263')) ?? '';
    const answer = await curl(command, root);
    const shown = JSON.parse(blocks('json')[0] ?? '{}');
    const varies = (text: string): string =>
      text.replace(/"validationCode":"\w{20}"/, '"validationCode":""').replace(/"(at|ms)":\d+/g, '"$1":0');
    expect(JSON.parse(varies(JSON.stringify(answer)))).toEqual(JSON.parse(varies(JSON.stringify(shown))));
  });

  it('names variables that answer, in each example', async () => {
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
    expect(named.length).toBe(6);
  });

  it('shows an upload that verifies', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'padron-readme-'));
    await run('npx', ['tsx', 'src/sandbox/main.ts', '--credential', folder], { cwd: root });
    const command = blocks('sh').find((block) => block.includes('-F ')) ?? '';
    const answer = await curl(command, folder);
    rmSync(folder, { recursive: true });
    expect(answer).toMatchObject({ data: { verifySignature: { outcome: 'FOUND', valid: true, problems: [] } } });
  });

  it('lists every problem code, with what the code itself says of trying again', () => {
    const listed = table('code').map(([code = '', , , retry]) => [code.replaceAll('`', ''), retry === 'yes']);
    const known = Object.entries(problemCodes).map(([code, { retryable }]) => [code, retryable]);
    expect(new Map(listed as [string, boolean][])).toEqual(new Map(known as [string, boolean][]));
  });

  it('lists the accounts of the sandbox and its test cards', () => {
    const tokens = table('token').map(([token = '']) => token.replaceAll('`', ''));
    expect(tokens.sort()).toEqual(builtInAccounts.map(({ token }) => token).sort());
    expect(readme).toContain(cardTable());
  });

  it('names only files that are there', () => {
    const links = [...readme.matchAll(/\]\((?!http|#)([^)]+)\)/g)].map(([, file = '']) => file);
    expect(links.length).toBeGreaterThan(10);
    for (const file of links) expect(() => readFileSync(join(root, file)).length).not.toThrow(/ENOENT/);
  });

  it('names only commands that package.json knows', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
