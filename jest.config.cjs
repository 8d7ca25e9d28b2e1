const { availableParallelism } = require('node:os');

/** swc because it is fast and follows the rule of explicit type thunks: no decorator metadata anywhere. */
const swc = [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
      target: 'es2023',
    },
    module: { type: 'commonjs' },
  },
];

/** Tests of stored and shared data. They need PostgreSQL. */
const stores = [
  '(store|cli|extensions/(batch|proof))/',
  'graph/money/(ledger|budgets|audit|events)/',
  '(server/(apollo/explore-scope|csv-route|key-rotation|start)|extensions/agents/spend)',
  'money/(idempotency|ledger|answers/operations|calls/store)/',
  'money/answers/answer-',
  'extensions/endpoints/stored',
];

/** Tests that wait for slow registries, or start other programs: a browser, gateways, several processes. */
const long = [
  '(deploy|extensions/explorer|federation|reliability)/',
  'clients/follow-up/',
  'contract/openapi-service',
  'graph/core/pricing/(estimate-limits|store-faults)',
  'graph/domains/opinion/',
  'money/calls/(answer-within|call-after-response)',
  'registry/answer/(envelope|unreadable-fields.property)',
  'extensions/endpoints/files',
  'repository/(codegen|extensions/(deleted|example))',
  'extensions/(sandbox/http/header|agents/tools)',
  'server/(process|telemetry/privacy)',
];

/**
 * Tests that only `.ci/run --all` runs: every version of Node, the image, packages and examples, more gateways, more than two instances, load,
 * sieges, full disks, killed batches, hostile files and servers, most of the explorer and of pages in a browser, and every fault and attack on
 * every endpoint. A file that is here is in no other project.
 */
const rare = [
  'extensions/batch/(dataset/xlsx/lost-values|run/interrupted|command/hostile-server)',
  'money/calls/store/lost-price',
  'cli/price/ci-recipe',
  'clients/(follow-up/trusted-documents|package|pages/)',
  'deploy/(backup|image|package)',
  'examples/',
  'extensions/explorer/(access|batch|client-kit|language/|layout/|ledger|panels|tabs/)',
  'federation/(hive-gateway|operations|other-teams|platform)',
  'graph/core/files/pdf-text',
  'nodes/',
  'reliability/(attacks|batches|faults|load|siege)/',
  'reliability/ledger/(data-store|ledger-events|ledger-full-disk)',
  'repository/sbom',
  'tracing/',
];

const toRegex = (folder) => `/test/${folder}.*\\.test\\.ts$`;

/** Returns a project of tests, to be run with `jest --selectProjects <name>`. */
const project = (displayName, folders, ignored = []) => ({
  displayName,
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testRegex: folders.map(toRegex),
  testPathIgnorePatterns: ['/node_modules/', ...ignored.map((folder) => `<rootDir>/test/${folder}`)],
  // One PostgreSQL for a run, in which each test has databases of its own. `fast` needs nothing but `npm ci`.
  globalSetup: `<rootDir>/test/support/${displayName === 'fast' ? 'global-setup.cjs' : 'stores/global-setup.cjs'}`,
  globalTeardown: `<rootDir>/test/support/${displayName === 'fast' ? 'global-teardown.cjs' : 'stores/global-teardown.cjs'}`,
  setupFiles: ['<rootDir>/test/support/jest/dates.ts', '<rootDir>/test/support/quick-tests.ts'],
  moduleNameMapper: {
    // Modules that src/ loads on demand are imported by their built names.
    '^(\\.{1,2}/(?:[\\w./-]+/)?(?:start|routes|mcp-route|disabled-route|signature|(?:batch|migrate|price|trigger|verify)-command|start-batches|run-checks|read-files|(?:postgres|embedded)-engine))\\.js$':
      '$1',
    // The gateways of test/federation bring their own graphql, but a schema works with one copy of the library only.
    '^graphql(/.*)?$': '<rootDir>/node_modules/graphql$1',
  },
  // jose is published as ES modules only.
  transformIgnorePatterns: ['/node_modules/(?!jose/)'],
  transform: { '(\\.ts|/jose/.+\\.js)$': swc },
});

module.exports = {
  // Far more than a test takes: a busy machine must not fail it.
  testTimeout: 300_000,
  // Tests also wait for sockets and other processes, so there is one worker more than cores.
  maxWorkers: availableParallelism() + 1,
  testSequencer: './test/support/jest/random-order.cjs',
  reporters: ['default', './test/support/jest/stuck-files.cjs'],
  showSeed: true,
  projects: [
    project('fast', [''], [...stores, ...long, ...rare]),
    project('stores', stores, rare),
    project('long', long, rare),
    project('rare', rare),
  ],
};
