import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { anchorsOf, linksOf, pages, readPage, spanishPages } from '../support/pages';

const root = join(__dirname, '../..');
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
