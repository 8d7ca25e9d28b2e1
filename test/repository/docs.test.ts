import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtInAccounts } from '../../src/extensions/sandbox/accounts/accounts';
import { uncleanPeople } from '../../src/extensions/sandbox/data/unclean-people';
import type { IdentifierKind } from '../../src/extensions/sandbox/protocol/route';
import { cards } from '../../src/extensions/sandbox/test-cards/cards';
import { failures } from '../../src/extensions/sandbox/test-cards/failures';
import { padronForTests } from '../support/padrons/padron-for-tests';
import { buildGraph } from '../support/padrons/whole-padron';
import {
  anchorsOf,
  blocksOf,
  linksOf,
  matchesOf,
  type Page,
  pages,
  readPage,
  spanishPages,
  tableOf,
} from '../support/pages';

const kinds: readonly (readonly [heading: string, kind: IdentifierKind])[] = [
  ['NSS', 'nss'],
  ['CURP', 'curp'],
  ['licence', 'licence'],
  ['registration', 'registration'],
];

/** The table of test cards in docs/sandbox.md, from the table that the sandbox uses. */
function cardTable(): string {
  const cellOf = (failure: string, kind: IdentifierKind): string => {
    const found = cards.find(
      (card) => card.failure === failure && card.identifier === kind && card.month === undefined,
    );
    return found === undefined ? '' : `\`${found.value}\``;
  };
  const rows = failures.map(({ name, description }) => [description, ...kinds.map(([, kind]) => cellOf(name, kind))]);
  const headings = ['simulates', ...kinds.map(([heading]) => heading)];
  return [headings, headings.map(() => '---'), ...rows]
    .map((cells, line) => (line === 1 ? `|${cells.join('|')}|` : `| ${cells.join(' | ')} |`))
    .join('\n');
}

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

  it('list the accounts of the sandbox, its test cards, and the people who are hard to compare', () => {
    const tokens = tableOf('token').map(([token = '']) => token.replaceAll('`', ''));
    expect(tokens.sort()).toEqual(builtInAccounts.map(({ token }) => token).sort());
    const { text } = readPage('docs/sandbox.md');
    expect(text).toContain(cardTable());
    for (const { person } of Object.values(uncleanPeople)) expect(text).toContain(`\`${person.nss}\``);
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

const linking = [
  ...pages,
  ...spanishPages,
  ...readdirSync(join(root, 'examples')).map((name) => readPage(`examples/${name}/README.md`)),
  ...['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'deploy/README.md'].map(readPage),
];
const all = linking.flatMap((page) => linksOf(page).map((link) => ({ from: page.file, ...link })));

describe('links between the documents', () => {
  it('name only files that are there', () => {
    expect(all.filter(({ target }) => !existsSync(join(root, target)))).toEqual([]);
    expect(all.filter(({ from }) => from === 'README.md').length).toBeGreaterThan(10);
  });

  it('name only headings that are there', () => {
    const anchored = all.filter(({ anchor }) => anchor !== '');
    expect(anchored.filter(({ target, anchor }) => !anchorsOf(readPage(target)).includes(anchor))).toEqual([]);
    expect(anchored.length).toBeGreaterThan(50);
  });

  it('reach every document from the README', () => {
    const reached = new Set(linksOf(readPage('README.md')).map(({ target }) => target));
    expect(pages.map(({ file }) => file).filter((file) => file !== 'README.md' && !reached.has(file))).toEqual([]);
  });

  it('are in llms.txt as the README lists them. If it is stale, run `npm run print:llms`', () => {
    const printed = execFileSync('npx', ['tsx', 'scripts/print-llms.ts'], { cwd: root, encoding: 'utf8' });
    expect(readPage('llms.txt').text).toBe(printed);
    const listed = linksOf(readPage('llms.txt')).map(({ target }) => target);
    expect(pages.map(({ file }) => file).filter((file) => file !== 'README.md' && !listed.includes(file))).toEqual([]);
  });
});

const english = (file: string): string => file.replace('docs/es/', 'docs/').replace('README.es.md', 'README.md');
const pairs = spanishPages.map((spanish) => [spanish.file, spanish, readPage(english(spanish.file))] as const);

const fence = /^```(.*)\n([\s\S]*?)^```/gm;
const prose = ({ text }: Page): string => text.replace(fence, '');
const levels = (page: Page): readonly number[] =>
  [...prose(page).matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length);

/** Settings, codes and other names in capitals. */
const names = (page: Page): readonly string[] =>
  [...new Set([...prose(page).matchAll(/`([A-Z][A-Z0-9_]{3,})(?=[`=])/g)].map(([, name = '']) => name))].sort();

/** Linked pages. A link from a Spanish page to another one counts as a link between the English pages. */
const targets = (page: Page): readonly string[] =>
  [...new Set(linksOf(page).map(({ target }) => english(target)))]
    .filter((target) => target !== english(page.file) && !existsSync(join(__dirname, '../../docs/es', target.slice(5))))
    .sort();

/** Code as it runs: without comments and the language. Output that padron prints in Spanish only has to be there. */
const code = ({ text }: Page): readonly string[] =>
  [...text.matchAll(fence)].map(([, language = '', block = '']) =>
    language === '' ? 'output' : `${language}\n${block.replace(/^\s*#.*\n/gm, '').replace(/ --language \w+/g, '')}`,
  );

describe.each(pairs)('%s', (_file, spanish, page) => {
  it('has the headings of the English page', () => {
    expect(levels(spanish)).toEqual(levels(page));
  });

  it('has its settings and codes', () => {
    expect(names(spanish)).toEqual(names(page));
  });

  it('has its links', () => {
    expect(targets(spanish)).toEqual(targets(page));
  });

  it('has its code', () => {
    expect(code(spanish)).toEqual(code(page));
  });
});
