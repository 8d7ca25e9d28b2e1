import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const root = join(__dirname, '../..');
const source = join(root, 'src');
const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => file.split('\\').join('/'));
const files = filesBelow('src').filter((file) => /\.tsx?$/.test(file));
const testFiles = filesBelow('test').filter(
  (file) => /\.[cm]?ts$|\.[cm]js$/.test(file) && !file.includes('node_modules/'),
);

/** Sources of the examples, in any language. */
const exampleFiles = filesBelow('examples').filter(
  (file) => /\.([cm]?[jt]s|tsx|css|py)$/.test(file) && !/(^|\/)(node_modules|generated|dist)\//.test(file),
);

const textOf = (file: string): string => readFileSync(join(source, file), 'utf8');
const withoutEnding = (file: string): string => file.replace(/\.(?:tsx?|js|sql)$/, '');

/** Returns the paths below `src` that a file imports, without their endings. */
function importsOf(file: string): readonly string[] {
  const specifiers = [...textOf(file).matchAll(/(?:from|import|import\(|require\()\s*['"](\.[^'"]+)['"]/g)];
  return specifiers.map(([, specifier = '']) => withoutEnding(posix.join(posix.dirname(file), specifier)));
}

/** Turns a pattern into a regular expression: `*` is one name, `**` any number of them, `{a,b}` one of two. */
function toRegExp(pattern: string): RegExp {
  const alternatives = pattern.replaceAll('{', '(').replaceAll('}', ')').replaceAll(',', '|');
  return new RegExp(`^${alternatives.replaceAll('**', '.+').replaceAll('*', '[^/]+')}$`);
}

const matches = (file: string, pattern: string): boolean => toRegExp(pattern).test(withoutEnding(file));

/**
 * The layers from the bottom to the top. The first row that matches a file names what it may import, beside the files of that row.
 * `graph/core` is what the domains share; the layers within a domain have names of files: `endpoints`, `types`, `identifiers`, `resolver`.
 */
const layers: readonly (readonly [files: string, ...mayImport: readonly string[]])[] = [
  // The table of times is data, and every layer may import it.
  ['times'],
  ['identifiers/**'],
  // Tables of codes are data. The graph joins them, and the server adds its own.
  [
    '{money/codes,registry/answer/codes,graph/domains/codes,graph/domains/tax/codes}',
    'identifiers/*',
    'registry/answer/problem',
  ],
  ['config/**', 'identifiers/edit-distance'],
  // The kit of commands. The program that runs them is the roof, below.
  ['terminal/**', 'identifiers/*'],
  ['registry/{endpoint,transport}/**', 'identifiers/*'],
  ['registry/answer/**', 'identifiers/*', 'registry/{endpoint,transport}/**'],
  ['registry/client/**', 'identifiers/*', 'registry/*', 'registry/{answer,endpoint,transport}/**'],
  ['registry/**', 'identifiers/*'],
  ['store/**'],
  ['money/migrations', 'money/**', 'store/*'],
  // The floors of the ledger: the entries, four rooms that do not know each other, and the ledger of a request's caller.
  ['money/ledger/entries/**', 'store/**', 'registry/*', 'registry/{answer,endpoint}/**'],
  ...['budgets', 'audit', 'events', 'prices', 'reading'].map(
    (name) =>
      [
        `money/ledger/${name}/**`,
        'money/ledger/entries/**',
        '{identifiers,store}/**',
        'registry/{answer,endpoint,transport}/**',
      ] as const,
  ),
  ['money/ledger/caller-ledger', 'money/ledger/**', 'registry/answer/**'],
  // The answers that are kept, and the operations that keep them.
  ['money/answers/*', 'money/ledger/entries/**', 'money/codes', '{identifiers,registry,store}/**'],
  ['money/answers/**', 'money/answers/*', 'money/ledger/entries/**', 'money/codes', '{identifiers,registry,store}/**'],
  ['money/idempotency/**', 'money/{answers,ledger/entries}/**', '{identifiers,registry,store}/**'],
  // The floors of the calls: their units, the life of a question, the store, and the data sources of requests.
  ['money/calls/units/**', 'money/answers/**', 'money/ledger/entries/**', 'money/codes', 'registry/**'],
  [
    'money/calls/life/**',
    'money/calls/units/**',
    'money/answers/**',
    'money/ledger/{budgets,entries}/**',
    'money/codes',
    'registry/**',
  ],
  [
    'money/calls/store/**',
    'money/calls/{life,units}/**',
    'money/answers/**',
    'money/ledger/{budgets,events,prices,entries}/**',
    'money/codes',
    '{identifiers,registry,store}/**',
  ],
  ['money/calls/*', 'money/{codes,calls/**,answers/**}', 'money/ledger/{budgets,entries}/**', '{registry,store}/**'],
  ['graph/core/scalars/**', 'identifiers/**', 'graph/core/client-error'],
  ['graph/core/operations/**', 'identifiers/**', 'graph/core/*'],
  ['graph/core/{lookup,pricing,files}/**', 'graph/core/**', '{identifiers,registry}/**', 'money/calls/**'],
  [
    'graph/core/*',
    'graph/core/{operations,files}/**',
    '{registry,identifiers}/**',
    'money/{calls/**,answers/operations/**,ledger/caller-ledger}',
  ],
  ['graph/domains/*/endpoints', 'identifiers/*', 'registry/endpoint/**'],
  ['graph/domains/*/types', 'graph/core/{fields,scalars/**,lookup/**}', 'identifiers/**', 'graph/domains/person/*'],
  ['graph/domains/tax/check-queue', 'registry/client/fair-limiter'],
  ['graph/domains/**', 'graph/core/**', 'identifiers/**', 'registry/{*,answer/**,endpoint/**}'],
  [
    'graph/money/**',
    'graph/{core,domains}/**',
    '{identifiers,registry}/**',
    'money/{codes,answers/operations/**}',
    'money/ledger/{caller-ledger,reading/**,budgets/**,audit/**,events/**,entries/{ledger-api,period}}',
  ],
  ['graph/schema/**', 'graph/**', '{identifiers,registry}/**', 'money/{codes,calls/**}'],
  ['server/telemetry/**', '{config,registry}/**', 'money/calls/units/**', 'identifiers/version'],
  [
    'server/{http,auth}/**',
    'server/telemetry/**',
    '{config,identifiers,registry,graph/core/scalars}/**',
    'money/calls/**',
    'graph/domains/housing/endpoints',
  ],
  ['server/errors/**', 'server/telemetry/**', '{identifiers,registry,graph,store}/**'],
  [
    'server/apollo/**',
    'server/{*,errors/**,http/**,telemetry/**}',
    '{config,identifiers,registry,graph}/**',
    'money/{calls,idempotency}/**',
  ],
  [
    'server/check/**',
    'server/{persistence,prices,shared-settings,auth/**}',
    'graph/schema/**',
    '{config,store,money,registry}/**',
    'server/extension',
  ],
  ['server/start', '{server,config,graph,registry,money,store}/**', 'server/extension'],
  ['server/extension', '{config,graph,server,money,registry}/**', 'terminal/command'],
  ['server/*', '{server,config,identifiers,graph,registry,money,store}/**'],
  // The core ends here: it knows the interface of an extension, and none of them.
  ['extensions', 'server/extension', 'extensions/*/extension'],
  ['extensions/sandbox/accounts/**'],
  ['extensions/sandbox/efirma/**'],
  ['extensions/sandbox/data/**'],
  ['extensions/sandbox/documents/**', 'extensions/sandbox/data/**'],
  ['extensions/sandbox/protocol/**', 'extensions/sandbox/{accounts,documents,data}/**'],
  ['extensions/sandbox/test-cards/**', 'extensions/sandbox/{protocol,documents,data}/**'],
  ['extensions/sandbox/endpoints/**', 'extensions/sandbox/{test-cards,protocol,documents,data,efirma}/**'],
  [
    'extensions/sandbox/{extension,start}',
    'extensions/sandbox/**',
    'server/extension',
    '{config,server}/*',
    'registry/endpoint/endpoint',
  ],
  ['extensions/sandbox/**'],
  [
    'extensions/agents/**',
    'server/extension',
    'server/{*,apollo/**,http/**,telemetry/**}',
    '{config,identifiers,graph,store}/**',
    'registry/endpoint/price-list',
  ],
  // The browser's side shares only the type of its settings with the server. It uses the client kit.
  ['extensions/explorer/page/**', 'identifiers/{text,without-descriptions}', '../schema/{explorer-settings,client/*}'],
  // The build hands the panels in to the page, which imports none of them.
  [
    'extensions/*/panel/**',
    'extensions/explorer/page/**',
    'identifiers/{text,without-descriptions}',
    '../schema/{explorer-settings,client/*}',
  ],
  [
    'extensions/explorer/**',
    'server/extension',
    'server/{*,http/**}',
    '{config,identifiers,graph,registry}/**',
    '../schema/explorer-settings',
  ],
  ['extensions/batch/extension', 'extensions/batch/**', 'server/extension'],
  ['extensions/batch/codes', 'identifiers/*'],
  ['extensions/batch/settings', 'config/*'],
  ['extensions/batch/storage/store-part', 'extensions/batch/**', 'server/persistence', 'store/*'],
  ['extensions/batch/command/**', '{terminal,identifiers}/**'],
  ['extensions/batch/graph/**', 'graph/**', '{identifiers,registry}/**', 'extensions/batch/{*,storage/**}'],
  [
    'extensions/batch/server/**',
    'server/extension',
    'server/{*,apollo/**,errors/**,http/**}',
    '{config,identifiers,extensions/batch,store,money,registry,graph}/**',
  ],
  ['extensions/batch/**', '{identifiers,store,registry,money}/**'],
  ['extensions/endpoints/**', 'server/extension', '{config,identifiers,registry,graph}/**', '../schema/extension'],
  // Proofs, and extensions that have no row above: they know the interface, and no other extension.
  ...readdirSync(join(source, 'extensions')).map(
    (name) =>
      [
        `extensions/${name}/**`,
        'server/extension',
        '{terminal,config,identifiers,registry,graph}/**',
        'money/ledger/{entries/ledger-api,reading/*}',
      ] as const,
  ),
  ['*', '{server,config}/**'],
  // The roof: no row above may import the program.
  ['cli/check-command', '{terminal,server/check}/**', 'server/extension'],
  ['cli/migrate-command', '{terminal,config,store}/**', 'money/migrations', 'server/{extension,persistence}'],
  ['cli/trigger-command', '{terminal,config,money/ledger/events}/**', 'server/extension'],
  ['cli/{main,commands}', '{cli,terminal}/**', 'main', 'identifiers/version', 'extensions'],
  [
    'cli/price/price-command',
    '{terminal,config,identifiers,graph,registry/endpoint}/**',
    'cli/price/*',
    'extensions',
    'server/extension',
  ],
  ['cli/ledger/**', '{terminal,identifiers}/**', 'registry/endpoint/price-list'],
  ['cli/**', '{terminal,identifiers}/**', 'config/config', 'graph/core/operations/read-documents'],
];

/** Returns the patterns of what a file may import. */
const mayImport = (file: string): readonly string[] => layers.find(([row]) => matches(file, row)) ?? [];

const sqlFiles = filesBelow('src').filter((file) => file.endsWith('.sql'));
/** Returns the text of a file without comments. Other code stays, because SQL is also built from strings. */
const sqlOf = (file: string): string =>
  textOf(file).replace(file.endsWith('.sql') ? /--.*/g : /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*|\s-- .*/g, '');
const roomOf = (file: string): string => file.replace(/\/.*/, '');

/** A name with an underscore is a word of SQL wherever it stands. Others, such as `calls`, are ordinary words too. */
function isNamedIn(text: string, name: string): boolean {
  const before = '\\b(?:FROM|JOIN|INTO|UPDATE|USING|VACUUM|TABLE|ON|ONLY|SETOF)\\s+(?:\\w+(?: (?:AS )?\\w+)?,\\s*)*';
  return new RegExp(
    name.includes('_') ? `\\b${name}\\b` : `${before}${name}\\b|\\b${name}%ROWTYPE|\\b(?:SELECT|PERFORM) ${name}\\(`,
  ).test(text);
}

/** Returns the names of another room that the SQL of a room has: the file, the name, and the file that creates it with a statement of the pattern. */
function sqlArrows(creation: RegExp, room = roomOf): readonly (readonly [file: string, name: string, owner: string])[] {
  const all = [...sqlFiles, ...files].map((file) => [file, sqlOf(file)] as const);
  const created = all.flatMap(([owner, text]) =>
    [...text.matchAll(creation)].map(([, name = '']) => [owner, name] as const),
  );
  return all.flatMap(([file, text]) =>
    created
      .filter(([owner, name]) => room(owner) !== room(file) && isNamedIn(text, name))
      .map(([owner, name]) => [file, name, owner] as const),
  );
}

/** Files that import each other in a circle, by way of any others. */
function circles(): readonly string[] {
  const imports = new Map(files.map((file) => [withoutEnding(file), importsOf(file)]));
  const isReachable = (from: string, goal: string, seen = new Set<string>()): boolean => {
    for (const next of imports.get(from) ?? []) {
      if (next === goal) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      if (isReachable(next, goal, seen)) return true;
    }
    return false;
  };
  return [...imports.keys()].filter((file) => isReachable(file, file));
}

describe('the layout', () => {
  it('has a layer for every file', () => {
    expect(files.filter((file) => !layers.some(([row]) => matches(file, row)))).toEqual([]);
  });

  it('has a file for every layer', () => {
    expect(layers.map(([row]) => row).filter((row) => !files.some((file) => matches(file, row)))).toEqual([]);
  });

  it('imports downwards only', () => {
    const upward = files.flatMap((file) => {
      const allowed = ['times', ...mayImport(file)];
      return importsOf(file)
        .filter((imported) => !allowed.some((pattern) => matches(imported, pattern)))
        .map((imported) => `${file} → ${imported}`);
    });
    expect(upward).toEqual([]);
  });

  it('has at most 16 arrows between the rooms of the core', () => {
    const rooms = new Set(['config', 'identifiers', 'store', 'registry', 'money', 'graph', 'server']);
    const arrows = files.flatMap((file) =>
      importsOf(file).map((imported) => [roomOf(file), roomOf(imported)] as const),
    );
    const between = arrows.filter(([from, to]) => from !== to && rooms.has(from) && rooms.has(to));
    expect(new Set(between.map(([from, to]) => `${from} → ${to}`)).size).toBeLessThanOrEqual(16);
    expect(between.length).toBeGreaterThan(100);
  });

  it('names in the SQL of a room no table of another room', () => {
    const arrows = sqlArrows(/CREATE (?:UNLOGGED )?(?:TABLE|TYPE|VIEW) (?:IF NOT EXISTS )?(\w+)/g);
    expect(arrows.map(([file, name]) => `${file} → ${name}`)).toEqual([]);
  });

  it('calls SQL functions downwards only', () => {
    const arrows = sqlArrows(/CREATE (?:OR REPLACE )?FUNCTION (\w+)/g);
    const upward = arrows.filter(([file, , owner]) => !mayImport(file).some((pattern) => matches(owner, pattern)));
    expect(upward.map(([file, name]) => `${file} → ${name}`)).toEqual([]);
    expect(arrows.length).toBeGreaterThan(5);
  });

  it('names in the SQL of money nothing from above, but the operations whose sums the ledger has', () => {
    const creation = /CREATE (?:OR REPLACE )?(?:UNLOGGED )?(?:TABLE|TYPE|VIEW|FUNCTION) (?:IF NOT EXISTS )?(\w+)/g;
    /** The ledger has folders that do not know each other. The others are rooms as a whole. */
    const room = (file: string): string =>
      matches(file, 'money/ledger/**') ? posix.dirname(file) : file.split('/').slice(0, 2).join('/');
    const arrows = sqlArrows(creation, room).filter(([file]) => matches(file, 'money/**'));
    const upward = arrows.filter(([file, , owner]) => !mayImport(file).some((pattern) => matches(owner, pattern)));
    expect(upward.map(([file, name]) => `${file} → ${name}`)).toEqual(['money/ledger/entries/sums.sql → operations']);
    expect(arrows.length).toBeGreaterThan(upward.length + 5);
  });

  it('imports resolvers into the schema alone', () => {
    const importers = files.filter((file) =>
      importsOf(file).some((imported) => matches(imported, 'graph/{core,domains,money}/*/resolver')),
    );
    expect(importers.filter((file) => !matches(file, 'graph/schema/**'))).toEqual([]);
  });

  it('gives domains the context of lookups alone, because a paid field gets no more', () => {
    const paid = files.filter((file) => textOf(file).includes('@PaidField('));
    expect(paid.length).toBeGreaterThan(5);
    expect(paid.filter((file) => /\bContext\b/.test(textOf(file)))).toEqual([]);
  });

  it('has no circle of imports, not even of types', () => {
    expect(circles()).toEqual([]);
  });

  it('keeps at most 15 files in a folder', () => {
    const counts = new Map<string, number>();
    const all = [
      ...[...files, ...sqlFiles].map((file) => `src/${file}`),
      ...testFiles.map((file) => `test/${file}`),
      ...exampleFiles.map((file) => `examples/${file}`),
    ];
    for (const file of all) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 15)).toEqual([]);
  });

  it('has the tests of a folder in the folder of the same name', () => {
    const apart =
      /^(bench|clients|deploy|examples|extensions\/explorer|federation|nodes|reliability|tracing|support|contract|repository)\//;
    const folders = new Set(files.map((file) => posix.dirname(file)));
    const tests = testFiles.filter((file) => file.endsWith('.test.ts'));
    expect(tests.filter((file) => !apart.test(file) && !folders.has(posix.dirname(file)))).toEqual([]);
  });

  it('reads the environment in one place', () => {
    // The command and the sandbox are separate programs: they have a `main` below src.
    const readers = files.filter((file) => /process\.env\b/.test(textOf(file)));
    expect(readers.filter((file) => !matches(file, '{config/**,**/main}'))).toEqual([]);
  });

  it('has no file that is a drawer for anything, and none that only passes others on', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|managers?|common|misc|index)\.ts$/.test(file))).toEqual([]);
    expect(files.filter((file) => /^export \* from/m.test(textOf(file)))).toEqual([]);
  });

  it('keeps deadlines in timers, because Node 20 forgets the sources of `AbortSignal.any` with the garbage', () => {
    const read = (folder: string) => filesBelow(folder).map((file) => `${folder}/${file}`);
    const programs = ['src', 'schema', 'scripts', 'test', 'examples']
      .flatMap(read)
      .filter((file) => /\.([cm]?[jt]s|tsx)$/.test(file) && !/node_modules|\/dist\/|layout\.test/.test(file));
    const users = programs.filter((file) => readFileSync(join(root, file), 'utf8').includes('AbortSignal.any('));
    expect(programs.length).toBeGreaterThan(500);
    expect(users).toEqual([]);
  });

  it('tests with files of the repository alone, so that a test runs on every machine', () => {
    const outside = /= '\/(?:home|mnt|opt|srv|work|Users)\/|\(root, '\.\.\//;
    expect(testFiles.filter((file) => outside.test(readFileSync(join(root, 'test', file), 'utf8')))).toEqual([]);
  });

  it('keeps files short enough to read at once', () => {
    const lines = (path: string): number => readFileSync(join(root, path), 'utf8').split('\n').length;
    expect([...files, ...sqlFiles].filter((file) => lines(`src/${file}`) > 301)).toEqual([]);
    expect(exampleFiles.length).toBeGreaterThan(10);
    expect(exampleFiles.filter((file) => lines(`examples/${file}`) > 301)).toEqual([]);
  });

  it('speaks English outside endpoints and sandbox', () => {
    const spanish = /\b(registro_patronal|codigoValidacion|cedula|apellido|nombres|credito|folio_sua|importe)\b/;
    const code = (file: string): string => textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, '');
    // The files of a domain read wire records, all but its types. `registry/answer` opens the envelope of every answer.
    const mayRead = (file: string): boolean =>
      matches(file, '{extensions/sandbox/**,registry/answer/*,graph/domains/*/*}') &&
      !matches(file, 'graph/domains/*/types');
    expect(files.filter((file) => !mayRead(file) && spanish.test(code(file)))).toEqual([]);
  });

  it('is in the folder that the tests read', () => {
    expect(files.length).toBeGreaterThan(100);
  });
});
