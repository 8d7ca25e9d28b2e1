import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { linksOf, type Page, readPage, spanishPages } from '../support/pages';

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
