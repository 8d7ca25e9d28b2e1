import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';

const root = join(__dirname, '..');
const source = join(root, 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split('\\').join('/'))
  .filter((file) => /\.tsx?$/.test(file));

const textOf = (file: string): string => readFileSync(join(source, file), 'utf8');

/** What a file imports from the project, as paths below `src` without their ending. */
function importsOf(file: string): readonly string[] {
  const specifiers = [...textOf(file).matchAll(/(?:from|import\(|require\()\s*['"](\.[^'"]+)['"]/g)];
  return specifiers.map(([, specifier = '']) => posix.join(posix.dirname(file), specifier));
}

const shared = '(context|lookup|given|asks)';
const anyDomain = 'graph/[a-z]+';

/** The grid: columns are domains, rows are layers, arrows only point down. First match decides. */
const grid: readonly (readonly [row: RegExp, mayImport: RegExp])[] = [
  [/^registry\//, /^registry\//],
  [/^sandbox\/accounts\//, /^sandbox\/accounts\//],
  [/^sandbox\/efirma\//, /^sandbox\/efirma\//],
  [/^sandbox\/data\//, /^sandbox\/data\//],
  [/^sandbox\/documents\//, /^sandbox\/(documents|data)\//],
  [/^sandbox\/protocol\//, /^sandbox\/(protocol|accounts|documents|data)\//],
  [/^sandbox\/test-cards\//, /^sandbox\/(test-cards|protocol|documents|data)\//],
  [/^sandbox\/endpoints\//, /^sandbox\/(endpoints|test-cards|protocol|documents|data|efirma)\//],
  [/^sandbox\//, /^sandbox\//],
  [/^execution\//, /^execution\//],
  [/^graph\/scalars\//, /^graph\/scalars\//],
  [/^graph\/[a-z]+\/endpoints$/, /^registry\/(endpoint|wire-values)$/],
  [/^graph\/[a-z]+\/types$/, new RegExp(`^(${anyDomain}/types|graph/scalars/.*|graph/lookup)$`)],
  [
    /^graph\/[a-z]+\/chain$/,
    new RegExp(`^(${anyDomain}/(types|endpoints)|graph/scalars/.*|graph/${shared}|registry/problem)$`),
  ],
  [
    /^graph\/[a-z]+\/resolver$/,
    new RegExp(
      `^(${anyDomain}/(types|endpoints|chain)|graph/tax/credential|graph/money/estimate|graph/scalars/.*|graph/${shared}|registry/(answer|endpoint|problem))$`,
    ),
  ],
  [
    /^graph\/money\/estimate$/,
    /^(graph\/money\/(types|endpoints)|graph\/context|graph\/scalars\/.*|registry\/(endpoint|rehearsal))$/,
  ],
  [/^graph\/tax\/(credential|certificate|private-key)$/, /^graph\/tax\/(certificate|private-key)$/],
  [/^graph\/(schema|subgraph|methods|entities|print)$/, /^graph\//],
  [
    /^graph\/(catalogue|context|lookup|given|asks)$/,
    /^(registry\/.*|graph\/scalars\/.*|graph\/(catalogue|context|lookup|given|asks))$/,
  ],
  [/^config$/, /^environment$/],
  [/^environment$/, /^$/],
  [/^server\//, /^(server|graph|execution|registry|sandbox)\/|^config$/],
  // The browser's side: of the server it knows only what it is told.
  [/^explorer\//, /^explorer\/|^server\/explorer-settings$/],
  [/^main$/, /^(server|sandbox)\/|^config$/],
];

const withoutEnding = (file: string): string => file.replace(/\.tsx?$/, '');

describe('the layout', () => {
  it('has a row in the grid for every file', () => {
    const homeless = files.filter((file) => !grid.some(([row]) => row.test(withoutEnding(file))));
    expect(homeless).toEqual([]);
  });

  it('imports downwards only', () => {
    const upward = files.flatMap((file) => {
      const allowed = grid.find(([row]) => row.test(withoutEnding(file)))?.[1];
      return importsOf(file)
        .filter((imported) => allowed?.test(imported) !== true)
        .map((imported) => `${file} → ${imported}`);
    });
    expect(upward).toEqual([]);
  });

  it('reads the environment in one place', () => {
    // The sandbox is a program of its own when it runs alone.
    const readers = files.filter((file) => /process\.env\b/.test(textOf(file)));
    expect(readers.sort()).toEqual(['config.ts', 'sandbox/main.ts']);
  });

  it('has no file that is a drawer for anything, and none that only passes others on', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|managers?|common|misc|index)\.ts$/.test(file))).toEqual([]);
    expect(files.filter((file) => /^export \* from/m.test(textOf(file)))).toEqual([]);
  });

  it('keeps files short enough to read at once', () => {
    const long = files.filter((file) => textOf(file).split('\n').length > 201);
    expect(long).toEqual([]);
  });

  it('speaks English outside endpoints and sandbox', () => {
    const spanish = /\b(registro_patronal|codigoValidacion|cedula|apellido|nombres|credito|folio_sua|importe)\b/;
    const code = (file: string): string => textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, '');
    // A resolver's `toRecord` reads wire records, and the envelope opens what every answer is wrapped in.
    const mayRead = /^sandbox\/|\/(endpoints|resolver|chain)\.ts$|^registry\/envelope\.ts$/;
    expect(files.filter((file) => !mayRead.test(file) && spanish.test(code(file)))).toEqual([]);
  });

  it('stands where the tests look for it', () => {
    expect(relative(root, source)).toBe('src');
    expect(files.length).toBeGreaterThan(100);
  });
});
