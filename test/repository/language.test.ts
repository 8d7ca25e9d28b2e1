import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pages, readPage } from '../support/pages';

const root = join(__dirname, '../..');
const own = join('test', 'repository', 'language.test.ts');
const sources = ['src', 'test', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !/node_modules|generated/.test(file) && file !== own)
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') })),
);
const texts = (pattern: RegExp, ...folders: readonly string[]): readonly string[] =>
  sources
    .filter(({ file }) => folders.some((folder) => file.startsWith(folder)))
    .flatMap(({ text }) => [...text.matchAll(pattern)].map((match) => match.at(-1) ?? ''));

const comments = texts(/\/\*\*\s*(?:\*\s)?(.*)/g, 'src', 'test');
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

/** A file without its comments, texts and regular expressions: what is left are the names that somebody chose. */
const codeOf = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, ' ')
    .replace(/`(?:\\.|\$\{[^{}]*\}|[^`\\])*`/g, ' ')
    .replace(/>[^<>{}=;()]*</g, '><')
    .replace(/(?<=[=(,:[!&|?{};]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*/g, ' ');

const files = sources
  .filter(({ file }) => /\.tsx?$/.test(file))
  .map(({ file, text }) => ({ path: file, code: codeOf(text) }));

/** Places that use a name, with the line's code. */
const uses = (pattern: RegExp): readonly string[] =>
  files.flatMap(({ path, code }) => (code.match(pattern) ?? []).map((name) => `${path}: ${name.trim()}`));

describe('names', () => {
  it('say maximum and minimum by max and min', () => {
    expect(uses(/\b(?:most|longest|shortest|least|fewest)[A-Z]\w*\b/g)).toEqual([]);
  });

  it('use the terms of the field instead of metaphors and pronouns', () => {
    expect(uses(/\b(?:told|untold|gone|mine|ours|theirs|its)\b(?!\s*')/g)).toEqual([]);
  });

  it('name the thing where a variable would be one, other, at, known or given', () => {
    const declared = /\b(?:const|let|function)\s+(?:one|ones|other|others|at|known|given|otherwise)\b/g;
    const parameter = /(?<=[(,]\s*)(?:one|other|others|at|known|given)(?=\s*[,:)][^;{}(]*=>)/g;
    expect([...uses(declared), ...uses(parameter)]).toEqual([]);
  });
});
