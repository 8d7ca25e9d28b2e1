import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const root = join(__dirname, '../..');
const source = join(root, 'src');
const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => file.split('\\').join('/'));
const files = filesBelow('src').filter((file) => /\.tsx?$/.test(file));

const textOf = (file: string): string => readFileSync(join(source, file), 'utf8');
const withoutEnding = (file: string): string => file.replace(/\.(?:tsx?|js)$/, '');

/** What a file imports from the project, as paths below `src` without their ending. */
function importsOf(file: string): readonly string[] {
  const specifiers = [...textOf(file).matchAll(/(?:from|import|import\(|require\()\s*['"](\.[^'"]+)['"]/g)];
  return specifiers.map(([, specifier = '']) => withoutEnding(posix.join(posix.dirname(file), specifier)));
}

const shared = 'graph/(context|paid-field)|graph/lookup/.*';
const forms = 'graph/(scalars|validation|formats)/.*';
const domain = 'graph/[a-z]+';

/** The grid: columns are domains, rows are layers, arrows only point down. First match decides. */
const grid: readonly (readonly [row: RegExp, mayImport: RegExp])[] = [
  // Below: what knows no domain.
  [/^registry\/(endpoint|transport)\//, /^registry\/(endpoint|transport)\//],
  [/^registry\/answer\//, /^registry\/(answer|endpoint|transport)\//],
  [/^registry\/client\//, /^registry\/(client|answer|endpoint|transport)\/|^registry\/caller$/],
  [/^registry\/replay\//, /^registry\/(replay|answer|endpoint)\/|^registry\/(caller|operation-budgets)$/],
  [
    /^registry\/redis\//,
    /^registry\/(redis|replay|answer|endpoint|transport)\/|^registry\/(caller|operation-budgets)$/,
  ],
  [/^registry\//, /^registry\//],
  [/^store\//, /^store\//],
  [/^ledger\//, /^(ledger|store)\/|^registry\/(answer|endpoint)\/|^registry\/(call-ledger|caller)$/],
  [/^pdf-text\//, /^pdf-text\//],
  [/^sandbox\/accounts\//, /^sandbox\/accounts\//],
  [/^sandbox\/efirma\//, /^sandbox\/efirma\//],
  [/^sandbox\/data\//, /^sandbox\/data\//],
  [/^sandbox\/documents\//, /^sandbox\/(documents|data)\//],
  [/^sandbox\/protocol\//, /^sandbox\/(protocol|accounts|documents|data)\//],
  [/^sandbox\/test-cards\//, /^sandbox\/(test-cards|protocol|documents|data)\//],
  [/^sandbox\/endpoints\//, /^sandbox\/(endpoints|test-cards|protocol|documents|data|efirma)\//],
  [/^sandbox\//, /^sandbox\//],
  // The graph.
  [/^graph\/validation\//, /^graph\/validation\//],
  [/^graph\/(scalars|formats)\//, /^graph\/(scalars|formats|validation)\//],
  [
    /^graph\/(context|content-budget|dry-run-budget|catalogue|paid-field)$/,
    /^registry\/|^pdf-text\/|^graph\/(content-budget|dry-run-budget|catalogue|paid-field)$|^graph\/operations\/operation-limits$|^ledger\/reading\/port$|^batch\/batches$/,
  ],
  // What the ledger holds is read through its ports.
  [
    /^graph\/(ledger|budgets)\/(types|inputs)$/,
    new RegExp(
      `^(graph/(lookup|person)/types|graph/lookup/problem-code|${forms}|ledger/(reading/port|budgets/budget))$`,
    ),
  ],
  [/^graph\/ledger\/access$/, /^(graph\/context|ledger\/reading\/port|registry\/client\/client)$/],
  [
    /^graph\/(ledger|budgets)\//,
    new RegExp(
      `^(graph/(ledger|budgets)/.*|graph/audit/recording|graph/lookup/input|graph/context|${forms}|ledger/(reading/port|budgets/budget)|registry/(endpoint/endpoint|call-labels))$`,
    ),
  ],
  [
    /^graph\/audit\//,
    new RegExp(
      `^(graph/(audit/.*|context|ledger/(access|filter|own-scope)|budgets/types|batch/states)|${forms}|ledger/(audit/audit-record|budgets/budget)|batch/batches|registry/endpoint/endpoint)$`,
    ),
  ],
  [
    /^graph\/batch\//,
    new RegExp(
      `^(graph/(batch/.*|(lookup|pricing)/types|context|audit/batch-changes)|${forms}|batch/(batch|batches|keep/row-store)|registry/answer/problem)$`,
    ),
  ],
  [/^graph\/operations\//, /^graph\/(operations\/.*|catalogue|validation\/normalise)$/],
  [/^graph\/lookup\//, new RegExp(`^registry/|^(${forms}|${shared})$`)],
  [/^graph\/schema\//, /^graph\//],
  [/^graph\/[a-z]+\/endpoints$/, /^registry\/endpoint\//],
  [/^graph\/person\/(facts|inquiry)$/, /^graph\/(validation\/.*|person\/facts)$/],
  [/^graph\/person\/types$/, new RegExp(`^(${domain}/types|graph/person/(facts|inquiry)|${forms})$`)],
  [
    /^graph\/person\/(sources|review|consistency)$/,
    new RegExp(
      `^(${domain}/(types|endpoints)|graph/person/(facts|inquiry)|${forms}|${shared}|registry/answer/(problem|interpret))$`,
    ),
  ],
  [/^graph\/[a-z]+\/types$/, new RegExp(`^(${domain}/types|${forms})$`)],
  [
    /^graph\/[a-z]+\/identifiers$/,
    new RegExp(
      `^(${domain}/(types|endpoints)|graph/person/(sources|review)|${forms}|${shared}|registry/answer/problem)$`,
    ),
  ],
  [
    /^graph\/education\/name-match$/,
    new RegExp(`^(graph/education/endpoints|graph/person/(facts|identifiers)|${forms}|${shared})$`),
  ],
  [
    /^graph\/tax\/(credential|credential-messages|certificate|private-key|key-file|check-queue)$/,
    /^graph\/tax\/(credential-messages|certificate|private-key|key-file)$/,
  ],
  [/^graph\/files\/content$/, /^graph\/(files\/types|context)$|^registry\/answer\/problem$/],
  [/^graph\/cfdi\/(read-cfdi|xml-element|compare-receipt)$/, new RegExp(`^(graph/cfdi/(types|xml-element)|${forms})$`)],
  [
    /^graph\/opinion\/(read-opinion|paper|sense|printed-dates|credits)$/,
    new RegExp(`^(graph/opinion/(types|paper|sense|printed-dates|credits)|${forms})$`),
  ],
  [
    /^graph\/pricing\/estimate$/,
    /^(graph\/pricing\/(types|endpoints)|graph\/context|graph\/formats\/.*|registry\/endpoint\/.*|registry\/answer\/problem|registry\/dry-run-data-source)$/,
  ],
  [/^graph\/pricing\/resolver$/, /^graph\/(pricing\/.*|context|operations\/.*)$/],
  [
    /^graph\/[a-z]+\/(resolver|licence-search|month)$/,
    new RegExp(
      `^(${domain}/(types|endpoints|identifiers)|graph/person/(facts|inquiry|sources|review|consistency)|graph/education/(licence-search|name-match)|graph/receipts/month|graph/tax/(credential|check-queue)|graph/pricing/estimate|graph/opinion/read-opinion|graph/files/content|graph/cfdi/(read-cfdi|compare-receipt)|${forms}|${shared}|registry/(answer|endpoint)/.*|pdf-text/.*)$`,
    ),
  ],
  // Above: the server, from its ground up.
  [/^config\//, /^config\//],
  [/^cli\//, /^cli\//],
  [/^batch\//, /^(batch|store|ledger|registry)\//],
  [/^server\/telemetry\//, /^server\/telemetry\/|^(config|registry)\//],
  [/^server\/(http|auth)\//, /^server\/(http|auth|telemetry)\/|^(config|registry)\/|^graph\/scalars\//],
  [/^server\/ledger\//, /^server\/(ledger|http|telemetry)\/|^server\/data$|^(config|ledger|store)\//],
  [
    /^server\/request-context$/,
    /^server\/(http|auth|telemetry|ledger)\/|^(config|registry|graph|pdf-text|ledger)\/|^batch\/(batches|known-accounts)$/,
  ],
  [/^server\/errors\//, /^server\/(errors|telemetry)\/|^(registry|graph)\/|^store\/store$/],
  [
    /^server\/apollo\//,
    /^server\/(apollo|errors|http|telemetry)\/|^server\/request-context$|^(config|registry|graph)\//,
  ],
  [
    /^server\/batch\//,
    /^server\/(batch|apollo|errors|http)\/|^server\/(request-context|data)$|^(config|batch|store|ledger|registry|graph)\//,
  ],
  [/^server\/explorer\//, /^server\/(explorer|http)\/|^server\/request-context$|^(config|graph|registry|sandbox)\//],
  [/^server\/(app|start|replay|data)$/, /^(server|config|graph|registry|sandbox|pdf-text|store|ledger|batch)\//],
  // The browser's side: of the server it knows only what it is given.
  [/^explorer\//, /^explorer\/|^server\/explorer\/settings$/],
  [/^main$/, /^(server|sandbox|config)\//],
];

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
  it('has a row in the grid for every file', () => {
    const homeless = files.filter((file) => !grid.some(([row]) => row.test(withoutEnding(file))));
    expect(homeless).toEqual([]);
  });

  it('has a file for every row of the grid', () => {
    const empty = grid.filter(([row]) => !files.some((file) => row.test(withoutEnding(file))));
    expect(empty.map(([row]) => String(row))).toEqual([]);
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

  it('has no circle of imports, not even of types', () => {
    expect(circles()).toEqual([]);
  });

  it('keeps a dozen files in a folder at most', () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 12)).toEqual([]);
  });

  it('has the tests of a folder in the folder of the same name', () => {
    const apart = /^(bench|clients|explorer|federation|reliability|tracing|support|contract|repository)\//;
    const folders = new Set(files.map((file) => posix.dirname(file)));
    const tests = filesBelow('test').filter((file) => /\.test\.ts$/.test(file) && !file.includes('node_modules/'));
    expect(tests.filter((file) => !apart.test(file) && !folders.has(posix.dirname(file)))).toEqual([]);
  });

  it('reads the environment in one place', () => {
    // The sandbox is a program of its own when it runs alone, and so is the command.
    const readers = files.filter((file) => /process\.env\b/.test(textOf(file)));
    expect(readers.sort()).toEqual(['cli/main.ts', 'config/config.ts', 'sandbox/main.ts']);
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
    const mayRead =
      /^sandbox\/|\/(endpoints|resolver|identifiers|sources|month|licence-search)\.ts$|^registry\/answer\/envelope\.ts$/;
    expect(files.filter((file) => !mayRead.test(file) && spanish.test(code(file)))).toEqual([]);
  });

  it('stands where the tests look for it', () => {
    expect(files.length).toBeGreaterThan(100);
  });
});
