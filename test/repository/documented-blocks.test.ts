import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { buildSchema, Kind, parse, validate } from 'graphql';
import { parse as parseYaml } from 'yaml';
import { pages } from '../support/pages';

const run = promisify(execFile);
const root = join(__dirname, '../..');
const schema = buildSchema(readFileSync(join(root, 'schema/padron.graphql'), 'utf8'), { assumeValidSDL: true });

/** A fenced block that a reader may copy. */
interface Block {
  readonly file: string;
  readonly language: string;
  readonly code: string;
}

const blocks: readonly Block[] = pages.flatMap(({ file, text }) =>
  [...text.matchAll(/^```(.*)\n([\s\S]*?)^```/gm)].map(([, language = '', code = '']) => ({ file, language, code })),
);

/** The test file that runs a block, or the reason why none does. `text` is a unique part of the block. */
interface Runner {
  readonly file: string;
  readonly text: string;
  readonly test?: string;
  readonly reason?: string;
}

const docsTest = 'test/repository/docs.test.ts';
const clientsPageTest = 'test/clients/pages/clients-page.test.ts';
const trustedPageTest = 'test/clients/pages/trusted-page.test.ts';
const testingPageTest = 'test/clients/pages/testing-page.test.ts';
const runners: readonly Runner[] = [
  {
    file: 'README.md',
    text: 'npm ci && npm start',
    reason: 'It installs packages. test/server/process.test.ts starts the same program.',
  },
  { file: 'README.md', text: 'npm ci && npm test', reason: 'It is the command that runs this test.' },
  { file: 'README.md', text: 'validationCode', test: docsTest },
  {
    file: 'docs/batch.md',
    text: 'npx padron batch',
    reason: 'It spends units of the server at port 4000. test/cli/batch.test.ts runs it with these files on another.',
  },
  {
    file: 'docs/ci.md',
    text: 'npx padron price schema/examples --max-units',
    test: 'test/cli/price/ci-recipe.test.ts',
  },
  { file: 'docs/ci.md', text: 'variables.json', test: 'test/cli/price/ci-recipe.test.ts' },
  { file: 'docs/ci.md', text: 'prices.md for', test: 'test/cli/price/ci-recipe.test.ts' },
  { file: 'docs/ci.md', text: 'gh pr comment', test: 'test/cli/price/ci-recipe.test.ts' },
  {
    file: 'docs/clients.md',
    text: 'graphql-codegen',
    reason: 'It installs packages. test/repository/codegen.test.ts runs the same codegen.yml.',
  },
  { file: 'docs/clients.md', text: 'buyOnce', test: clientsPageTest },
  { file: 'docs/clients.md', text: 'textOfProblem', test: clientsPageTest },
  { file: 'docs/clients.md', text: 'retryFailed', test: clientsPageTest },
  { file: 'docs/clients.md', text: 'unitsLink', test: clientsPageTest },
  { file: 'docs/clients.md', text: 'PersistedQueryLink', test: clientsPageTest },
  { file: 'docs/clients.md', text: 'getFragmentData', test: clientsPageTest },
  { file: 'docs/configuration.md', text: 'hkdfSync', test: docsTest },
  {
    file: 'docs/configuration.md',
    text: 'isFromPadron',
    test: 'test/reliability/ledger/ledger-shared-budgets.test.ts',
  },
  { file: 'docs/configuration.md', text: 'SignJWT', test: 'test/server/auth/shared-secret.test.ts' },
  { file: 'docs/errors.md', text: '04159600264', test: docsTest },
  { file: 'docs/errors.md', text: 'errors/BAD_USER_INPUT', test: docsTest },
  {
    file: 'docs/federation.md',
    text: 'buildService',
    reason: 'A part of a file: test/federation/apollo-gateway.test.ts runs the whole.',
  },
  {
    file: 'docs/federation.md',
    text: 'padronHeaders: {',
    reason: 'A part of a file: test/federation/apollo-gateway.test.ts runs the whole.',
  },
  {
    file: 'docs/federation.md',
    text: 'gatewayConfig',
    reason: 'A part of a file: test/federation/hive-gateway.test.ts runs the whole.',
  },
  {
    file: 'docs/federation.md',
    text: 'include_subgraph_errors',
    reason: 'Apollo Router is a binary that npm does not install.',
  },
  {
    file: 'docs/federation.md',
    text: 'fn subgraph_service',
    reason: 'Apollo Router is a binary that npm does not install.',
  },
  { file: 'docs/files.md', text: 'F9110000100', test: docsTest },
  { file: 'docs/files.md', text: '--credential .', test: docsTest },
  { file: 'docs/files.md', text: '-F ', test: docsTest },
  {
    file: 'docs/operations.md',
    text: 'npx padron check',
    reason: 'It checks the systems of the reader. test/cli/check.test.ts runs it on others.',
  },
  { file: 'docs/operations.md', text: 'pg_dump', test: 'test/deploy/backup.test.ts' },
  { file: 'docs/operations.md', text: 'pg_restore', test: 'test/deploy/backup.test.ts' },
  { file: 'docs/operations.md', text: 'tar --create', test: 'test/deploy/backup.test.ts' },
  { file: 'docs/operations.md', text: 'tar --extract', test: 'test/deploy/backup.test.ts' },
  { file: 'docs/operations.md', text: 'psql', test: 'test/deploy/backup.test.ts' },
  {
    file: 'docs/ledger.md',
    text: 'npx padron reconcile',
    reason: 'It needs a statement of the server at port 4000. test/cli/reconcile.test.ts runs it on another.',
  },
  { file: 'docs/money.md', text: 'x-dry-run', test: docsTest },
  {
    file: 'docs/operations.md',
    text: 'npm prune',
    reason: 'It removes packages. test/server/process.test.ts starts the program in production.',
  },
  {
    file: 'docs/operations.md',
    text: 'npm install --no-save',
    reason: 'It installs packages. test/tracing/otel-file.test.ts loads the file in the same way.',
  },
  { file: 'docs/operations.md', text: 'UndiciInstrumentation', test: 'test/tracing/otel-file.test.ts' },
  {
    file: 'docs/operations.md',
    text: 'EXPLORER=on',
    reason: 'Its host does not exist. test/explorer/access/production.test.ts starts padron with these settings.',
  },
  { file: 'docs/operations.md', text: 'aclfile', test: 'test/reliability/redis/store-recipe.test.ts' },
  { file: 'docs/operations.md', text: 'user padron on', test: 'test/reliability/redis/store-recipe.test.ts' },
  {
    file: 'docs/operations.md',
    text: 'export REPLAY_URL',
    reason: 'Its hosts do not exist. test/reliability/redis/store-recipe.test.ts starts instances with these settings.',
  },
  {
    file: 'docs/sandbox.md',
    text: 'REGISTRY_URL=',
    reason: 'It takes a fixed port. test/server/process.test.ts starts padron over a service of its own.',
  },
  { file: 'docs/sandbox.md', text: 'x-sandbox-delay', test: 'test/sandbox/http/header.test.ts' },
  {
    file: 'docs/trusted-documents.md',
    text: 'presetConfig',
    test: 'test/cli/price/ci-recipe.test.ts',
  },
  { file: 'docs/trusted-documents.md', text: '// add-typename.cjs', test: trustedPageTest },
  { file: 'docs/trusted-documents.md', text: 'documentTransforms:', test: trustedPageTest },
  { file: 'docs/trusted-documents.md', text: 'documents: [', test: trustedPageTest },
  {
    file: 'docs/trusted-documents.md',
    text: 'allowArbitraryDocuments',
    test: 'test/federation/answer-within.test.ts',
  },
  {
    file: 'docs/trusted-documents.md',
    text: 'TRUSTED_DOCUMENTS_MODE=log',
    reason: 'It takes a fixed port. test/server/apollo/explore-scope.test.ts starts padron with these settings.',
  },
  {
    file: 'docs/testing.md',
    text: 'PORT=4310',
    reason: 'It takes a fixed port. test/clients/pages/testing-page.test.ts starts padron over the embedded sandbox.',
  },
  { file: 'docs/testing.md', text: '// jest.config.cjs', test: testingPageTest },
  { file: 'docs/testing.md', text: '// vitest.config.ts', reason: 'Vitest is not installed here.' },
  { file: 'docs/testing.md', text: '// credit.tsx', test: testingPageTest },
  { file: 'docs/testing.md', text: '// credit-mocks.ts', test: testingPageTest },
  { file: 'docs/testing.md', text: '// credit.test.tsx', test: testingPageTest },
  { file: 'docs/testing.md', text: '// credit-urql.test.ts', test: testingPageTest },
  { file: 'docs/testing.md', text: '// credit-schema.test.ts', test: testingPageTest },
  { file: 'docs/testing.md', text: '// credit-sandbox.test.tsx', test: testingPageTest },
];

/** Languages that are judged here, whole, for the reader only or because running them proves no more. */
const judgedHere = ['', 'json', 'graphql', 'mermaid'];

const runnersOf = ({ file, code }: Block): readonly Runner[] =>
  runners.filter((runner) => runner.file === file && code.includes(runner.text));

/** Throws if the block is not valid in its language. */
const checks: Readonly<Record<string, (code: string) => unknown>> = {
  '': () => undefined,
  json: (code) => JSON.parse(code),
  sh: (code) => run('bash', ['-n', '-c', code]),
  js: (code) => transform(code, { loader: 'js' }),
  ts: (code) => transform(code, { loader: 'ts' }),
  tsx: (code) => transform(code, { loader: 'tsx' }),
  yaml: (code) => parseYaml(code),
  graphql: (code) => {
    const document = parse(code);
    const isOperation = document.definitions.every(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    const [error] = isOperation ? validate(schema, document) : [];
    if (error !== undefined) throw error;
  },
  // These languages have no checker here. GitHub draws the diagram; Redis reads its files in the test that runs them.
  mermaid: () => undefined,
  conf: () => undefined,
  acl: () => undefined,
  rhai: () => undefined,
};

describe('the blocks of the README and of docs/', () => {
  it.each(
    blocks.map((block) => [`${block.file}: ${block.language} ${block.code.slice(0, 40).trim()}`, block] as const),
  )('are valid in their language: %s', async (_, { language, code }) => {
    expect(Object.keys(checks)).toContain(language);
    await checks[language]?.(code);
  });

  it('are each run by a test that is named here, or there is a reason why not', () => {
    const missing = blocks.filter((block) => !judgedHere.includes(block.language) && runnersOf(block).length !== 1);
    expect(missing.map(({ file, code }) => `${file}: ${code}`)).toEqual([]);
  });

  it('are what the list names: it has no entry without a block, and names tests that exist', () => {
    const named = new Set(blocks.filter(({ language }) => !judgedHere.includes(language)).flatMap(runnersOf));
    expect(runners.filter((runner) => !named.has(runner))).toEqual([]);
    expect(runners.flatMap(({ test }) => test ?? []).filter((test) => !existsSync(join(root, test)))).toEqual([]);
  });

  it('need no comment where the language has none', () => {
    const acl = blocks.filter(({ language }) => language === 'acl').flatMap(({ code }) => code.trim().split('\n'));
    expect(acl.length).toBeGreaterThan(1);
    expect(acl.filter((line) => !line.startsWith('user '))).toEqual([]);
  });
});
