import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { buildSchema, isObjectType } from 'graphql';
import { commands } from '../../src/cli/commands';
import { pages, readPage } from '../support/pages';

const root = join(__dirname, '../..');
const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
const sources = filesBelow('src');
const wordsOf = (files: readonly string[]): ReadonlySet<string> => {
  const read = files.filter(
    (file) => /\.(tsx?|mjs|sql|graphql|yaml)$/.test(file) && !/node_modules|\/dist\//.test(file),
  );
  return new Set(read.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/[\w-]+/g) ?? []));
};
const words = wordsOf([...sources, ...filesBelow('schema')]);
const wordsOfTools = wordsOf(['scripts', 'test/bench', 'test/support'].flatMap(filesBelow));
const schema = buildSchema(readFileSync(join(root, 'schema/padron.graphql'), 'utf8'), { assumeValidSDL: true });

/** Each text in backticks, outside of blocks, with its page. */
const named = [...pages, readPage('CONTRIBUTING.md')].flatMap(({ file, text }) =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => ({ file, name })),
);

type Named = (typeof named)[number];

/** Names that other programs define, that a reader's own project has, or that show a mistake. */
const foreign: Readonly<Record<string, readonly string[]>> = {
  path: ['src/credit.graphql', 'src/generated/', 'scripts/check-prices.sh'],
  header: ['x-dryrun'],
  name: [
    // NOTES is the setting of the example in docs/extensions.md, and PADRON_TESTS is for tests.
    ...[
      'NOTES',
      'PADRON_TESTS',
      'JWT_*',
      'LIMIT_*',
      'MAX_UNIT',
      'NODE_ENV',
      'NODE_OPTIONS',
      'SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE',
    ],
    ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_PROTOCOL'],
    ...['OTEL_SERVICE_NAME', 'OTEL_TRACES_SAMPLER'],
  ],
  option: ['--header', '--exclude-table-data', '--max-old-space-size', '--omit', '--prefix', '--routing-url', '--seed'],
};

/** Returns what no rule finds in the repository, of the texts that the pattern matches. */
function missing(kind: string, pattern: RegExp, isThere: (found: string, at: Named) => boolean, atLeast: number) {
  const found = named.flatMap((at) => [...at.name.matchAll(pattern)].map(([, text = '']) => ({ text, at })));
  expect(found.length).toBeGreaterThan(atLeast);
  return found
    .filter(({ text, at }) => !foreign[kind]?.includes(text) && !isThere(text, at))
    .map(({ text, at }) => `${at.file}: ${text}`);
}

describe('a name in backticks, in a page or in CONTRIBUTING.md, is one that exists:', () => {
  const folders = ['', 'src', 'src/extensions/batch', 'src/money', 'src/extensions/explorer'];
  const exists = (path: string): boolean =>
    folders.some((folder) => existsSync(join(root, folder, path.replace(/\*.*/, ''))));

  it('a path of the repository', () => {
    const rooms =
      /^((?:\.ci|docs|deploy|examples|schema|scripts|src|test|config|identifiers|store|registry|money|graph|server|terminal|cli|extensions)\/[\w./*-]*)$/g;
    expect(missing('path', rooms, exists, 80)).toEqual([]);
  });

  it('a file or folder that architecture.md and CONTRIBUTING.md name without its path', () => {
    const basenames = new Set(sources.flatMap((file) => [posix.basename(file), `${posix.basename(file)}/`]));
    const isThere = (name: string, { file }: Named): boolean =>
      !/architecture|CONTRIBUTING/.test(file) || name === 'test/' || basenames.has(name);
    expect(missing('file', /^([\w-]+(?:\.ts|\/))$/g, isThere, 20)).toEqual([]);
  });

  it('a command of padron, and an option of a command', () => {
    expect(missing('command', /^(?:npx )?padron ([a-z]+)\b/g, (name) => name in commands, 10)).toEqual([]);
    const isOption = (name: string): boolean =>
      [words, wordsOfTools].some((known) => known.has(name) || known.has(name.slice(2)));
    expect(missing('option', /(?:^| )(--[a-z][a-z-]*)/g, isOption, 30)).toEqual([]);
  });

  it('a program of the build', () => {
    const isThere = (path: string): boolean =>
      existsSync(join(root, 'src', path.replace('sandbox', 'extensions/sandbox')));
    expect(missing('program', /\bdist\/([\w/]+)\.js/g, (path) => isThere(`${path}.ts`), 2)).toEqual([]);
  });

  it('a header of padron', () => {
    expect(missing('header', /^(x-[a-z-]+)/g, (name) => words.has(name), 60)).toEqual([]);
  });

  it('a setting, a code or a state', () => {
    // Identifiers of the sandbox have digits, and a test of docs/sandbox.md compares them.
    expect(
      missing('name', /^([A-Z][A-Z_*]{3,})(?:=.*)?$/g, (name) => words.has(name.replace(/_FILE$/, '')), 500),
    ).toEqual([]);
  });

  it('a field of the graph, and a metric', () => {
    const hasField = (coordinate: string): boolean => {
      const [typeName = '', fieldName = ''] = coordinate.split('.');
      const type = schema.getType(typeName);
      return isObjectType(type) && type.getFields()[fieldName] !== undefined;
    };
    expect(missing('field', /^([A-Z][a-z][A-Za-z]+\.[a-z]\w+)$/g, hasField, 20)).toEqual([]);
    expect(missing('metric', /^(padron_[a-z_]+)$/g, (name) => words.has(name), 60)).toEqual([]);
  });
});
