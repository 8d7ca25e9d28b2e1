import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pages, readPage } from '../support/pages';

const root = join(__dirname, '../..');
const own = join('test', 'repository', 'plain-english.test.ts');
const sources = ['src', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.includes('node_modules') && file !== own)
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') })),
);
const texts = (pattern: RegExp, folder = ''): readonly string[] =>
  sources
    .filter(({ file }) => file.startsWith(folder))
    .flatMap(({ text }) => [...text.matchAll(pattern)].map((match) => match.at(-1) ?? ''));

const comments = texts(/\/\*\*\s*(?:\*\s)?(.*)/g);
/** Titles of tests, also those after a table of `each`. */
const titles = [
  ...texts(/\b(?:it|describe)(?:\.\w+)*(?:<[^>]*>)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g, 'test'),
  ...texts(/^ *[\])}]+(?: as const)?\)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm, 'test'),
];
const remarks = texts(/(?:^\s*\/\/|^\s*\/?\*+) (.*)/gm, 'test');

/** First words of a doc comment that has no subject: the reader has to guess what it is about. */
const withoutSubject = /^(?:What|Null|Where|Of|For|Who|Whom|Whose|By|As|How|Those|All that|Whoever|Nobody)\b/;
/** Number of such comments that are left. Lower it when you rewrite some of them. */
const maxWithoutSubject = 17;

/** Words and phrases that a reader has to translate first. */
const mannered =
  /\b(?:nobody|whoever|stands|anew|goes on|of (?:its|their) own(?! \w)|(?<!there )(?:is|are) no(?! longer)|beneath|by itself|held against|comes to|wherever|mend|given back|lies between|is away)\b/i;
const isMannered = (text: string): boolean => mannered.test(text);
/** Numbers of lines with such words that are left. Lower them when you rewrite some of them. */
const max = { titles: 7, remarks: 5 };

describe('the language', () => {
  it('names the subject at the beginning of a doc comment', () => {
    expect(comments.length).toBeGreaterThan(1_000);
    expect(comments.filter((text) => withoutSubject.test(text)).slice(maxWithoutSubject)).toEqual([]);
  });

  it('needs no translation in the titles and comments of tests', () => {
    expect(titles.length).toBeGreaterThan(2_000);
    expect(titles.filter(isMannered).slice(max.titles)).toEqual([]);
    expect(remarks.filter(isMannered).slice(max.remarks)).toEqual([]);
  });

  it('needs no translation in the documents and in the schema', () => {
    const lines = [...pages, readPage('schema/padron.graphql')].flatMap(({ text }) => text.split('\n'));
    expect(lines.filter(isMannered)).toEqual([]);
  });
});
