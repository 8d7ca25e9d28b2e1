import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const paths = ['src', 'test', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.tsx?$/.test(file) && !/node_modules|generated/.test(file) && !file.endsWith('names.test.ts')),
);

/** A file without its comments, texts and regular expressions: what is left are the names that somebody chose. */
function codeOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, ' ')
    .replace(/`(?:\\.|\$\{[^{}]*\}|[^`\\])*`/g, ' ')
    .replace(/>[^<>{}=;()]*</g, '><')
    .replace(/(?<=[=(,:[!&|?{};]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*/g, ' ');
}

const files = paths.map((path) => ({ path, code: codeOf(path) }));

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
