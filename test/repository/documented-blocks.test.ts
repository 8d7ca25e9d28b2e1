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

/** A unique text of a block, and the test file that runs it or the reason why none does. */
type Runner = readonly [text: string, testOrReason: string];

const docsTest = 'test/repository/docs.test.ts';
const recipeTest = 'test/cli/price/ci-recipe.test.ts';
const backupTest = 'test/deploy/backup.test.ts';
const clientsPageTest = 'test/clients/pages/clients-page.test.ts';
const fixedPort = 'It takes a fixed port.';
const runners: Readonly<Record<string, readonly Runner[]>> = {
  'README.md': [
    ['padron-0.1.0.tgz', 'It installs packages. test/deploy/package.test.ts starts an installed padron.'],
    ['npm ci && npm start', 'It installs packages. test/server/process.test.ts starts the same program.'],
    ['validationCode', docsTest],
  ],
  'docs/agents.md': [
    ['MCP=on', `${fixedPort} test/server/process.test.ts starts padron with MCP=on.`],
    ['@modelcontextprotocol/client', 'test/extensions/agents/tools.test.ts'],
    ['code --add-mcp', 'Visual Studio Code is not installed here.'],
  ],
  'docs/batch.md': [
    [
      'npx padron batch',
      'It spends units of the server at port 4000. test/extensions/batch/command/batch.test.ts runs it with these files on another.',
    ],
  ],
  'docs/ci.md': [
    ['npx padron-client price schema/examples --max-units', recipeTest],
    ['variables.json', recipeTest],
    ['prices.md for', recipeTest],
    ['gh pr comment', recipeTest],
  ],
  'docs/clients.md': [
    ['padron-client-0.1.0.tgz', clientsPageTest],
    ['buyOnce', clientsPageTest],
    ['textOfProblem', clientsPageTest],
    ['retryFailed', clientsPageTest],
    ['unitsLink', clientsPageTest],
    ['PersistedQueryLink', clientsPageTest],
    ['getFragmentData', clientsPageTest],
    ['button.disabled', 'test/registry/client/availability.test.ts'],
  ],
  'docs/configuration.md': [['SignJWT', 'test/server/auth/shared-secret.test.ts']],
  'docs/errors.md': [
    ['04159600264', docsTest],
    ['errors/BAD_USER_INPUT', docsTest],
  ],
  'docs/events.md': [
    ['npx padron trigger', 'It sends to the receiver of the reader. test/cli/commands.test.ts runs it with others.'],
  ],
  'docs/compliance.md': [['npx padron verify', 'test/extensions/proof/proof.test.ts']],
  'docs/extensions.md': [
    ['export const postalCode', 'test/examples/endpoint.test.ts'],
    ['EXTENSIONS=', 'test/examples/endpoint.test.ts'],
    ['registryNotes', 'test/repository/extensions/example.test.ts'],
  ],
  'docs/files.md': [
    ['F9110000100', docsTest],
    ['--credential .', docsTest],
    ['-F ', docsTest],
  ],
  'docs/operations.md': [
    ['npx padron check', 'It checks the systems of the reader. test/cli/check.test.ts runs it on others.'],
    ['pg_dump', backupTest],
    ['pg_restore', backupTest],
    ['tar --create', backupTest],
    ['tar --extract', backupTest],
    ['psql', backupTest],
    ['padron-0.1.0.tgz', 'It installs packages. test/deploy/package.test.ts starts an installed padron.'],
    ['@opentelemetry/sdk-node', 'It installs packages. test/tracing/span-export.test.ts starts padron with them.'],
    [
      'EXPLORER=on',
      'Its host does not exist. test/extensions/explorer/access.test.ts starts padron with these settings.',
    ],
    [
      'export DATABASE_URL',
      'Its hosts do not exist. test/reliability/ledger/never-twice.test.ts starts processes with these settings.',
    ],
  ],
  'docs/jobs.md': [['x-operation-keep: 7d', 'test/examples/python.test.ts']],
  'docs/ledger.md': [
    [
      'npx padron reconcile',
      'It needs a statement of the server at port 4000. test/cli/reconcile.test.ts runs it on another.',
    ],
  ],
  'docs/money.md': [['x-dry-run', docsTest]],
  'docs/sandbox.md': [
    ['REGISTRY_URL=', `${fixedPort} test/server/process.test.ts starts padron over a service of its own.`],
    ['x-sandbox-delay', 'test/extensions/sandbox/http/header.test.ts'],
  ],
  'docs/trusted-documents.md': [
    ['presetConfig', recipeTest],
    ['// add-typename.cjs', clientsPageTest],
    ['documentTransforms:', clientsPageTest],
    ['documents: [', clientsPageTest],
    ['allowArbitraryDocuments', 'test/federation/operations.test.ts'],
    [
      'TRUSTED_DOCUMENTS_MODE=log',
      `${fixedPort} test/server/apollo/explore-scope.test.ts starts padron with these settings.`,
    ],
  ],
  'docs/testing.md': [
    ['PORT=4310', `${fixedPort} test/clients/pages/clients-page.test.ts starts padron over the embedded sandbox.`],
    ['// vitest.config.ts', 'Vitest is not installed here.'],
  ],
};

/** Languages that are judged here, whole, for the reader only or because running them proves no more. */
const judgedHere = ['', 'json', 'graphql', 'mermaid'];

const runnersOf = ({ file, code }: Block): readonly Runner[] =>
  (runners[file] ?? []).filter(([text]) => code.includes(text));

/** Throws if the block is not valid in its language. */
const checks: Readonly<Record<string, (code: string) => unknown>> = {
  '': () => undefined,
  json: (code) => JSON.parse(code),
  sh: (code) => run('bash', ['-n', '-c', code]),
  js: (code) => transform(code, { loader: 'js' }),
  ts: (code) => transform(code, { loader: 'ts', tsconfigRaw: { compilerOptions: { experimentalDecorators: true } } }),
  tsx: (code) => transform(code, { loader: 'tsx' }),
  yaml: (code) => parseYaml(code),
  graphql: (code) => {
    const document = parse(code);
    const isOperation = document.definitions.every(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    const [error] = isOperation ? validate(schema, document) : [];
    if (error !== undefined) throw error;
  },
  // GitHub draws the diagram.
  mermaid: () => undefined,
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
    const listed = Object.values(runners).flat();
    expect(listed.filter((runner) => !named.has(runner))).toEqual([]);
    const tests = listed.map(([, testOrReason]) => testOrReason).filter((by) => by.startsWith('test/'));
    expect(tests.filter((test) => !existsSync(join(root, test)))).toEqual([]);
  });
});
