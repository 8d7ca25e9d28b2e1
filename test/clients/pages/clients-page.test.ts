import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { priceOf } from '../../../schema/client/price-of';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { createLogger } from '../../../src/server/telemetry/logger';
import { runPadron } from '../../support/padrons/padron';
import { readConfig, sandboxOf, startPadron } from '../../support/padrons/whole-padron';
import { startForTests } from '../../support/start-for-tests';
import { blocksOfPage, FrontendFolder, type PageBlock } from './frontend-folder';

const run = promisify(execFile);

/** Code around each block: imports of the client libraries, and values of the reader. */
const surroundings = [
  `import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
   import { Client, fetchExchange } from '@urql/core';
   import { cacheExchange } from '@urql/exchange-graphcache';
   import type { PersonProfileQuery } from './generated/graphql';
   declare const data: PersonProfileQuery; declare const uri: string; declare const url: string;
   declare function show(...values: unknown[]): void; declare function explain(...values: unknown[]): void;`,
  `import type { PersonProfileQuery } from './generated/graphql';
   declare const credit: NonNullable<NonNullable<PersonProfileQuery['person']>['credit']>; declare const error: unknown;
   declare function show(...values: unknown[]): void; declare function signIn(): void;`,
  '',
  `import { ApolloLink, HttpLink } from '@apollo/client';
   import { fetchExchange } from '@urql/core';
   import { cacheExchange } from '@urql/exchange-graphcache';
   declare const uri: string; declare const url: string; declare const nss: string;
   declare const headers: Record<string, string>; declare const settings: Parameters<typeof cacheExchange>[0];
   declare function show(...values: unknown[]): void; declare function showLeft(...values: unknown[]): void;`,
  `import { type ApolloClient, HttpLink } from '@apollo/client';
   declare const client: ApolloClient; declare const uri: string; declare const url: string;
   declare const headers: Record<string, string>; declare const nss: string;`,
  `import { ApolloLink, HttpLink } from '@apollo/client';
   import { fetchExchange } from '@urql/core';
   import { cacheExchange } from '@urql/exchange-graphcache';
   declare const uri: string; declare const headers: Record<string, string>;
   declare const settings: Parameters<typeof cacheExchange>[0];`,
  `declare const data: { registryEndpoints: { fields: string[]; availability: { state: string } }[] | null };
   declare const button: { disabled: boolean };`,
];

const maskedSurroundings = `
  import { isFound } from 'padron-client';
  import type { CreditQuery, UnjudgedQuery } from './generated/graphql';
  declare const credit: NonNullable<CreditQuery['person']>['credit'];
  declare const unjudged: NonNullable<UnjudgedQuery['person']>['credit'];
  declare function show(...values: unknown[]): void; declare function explain(...values: unknown[]): void;
  // @ts-expect-error The fragment hides the outcome.
  isFound(unjudged);
  // @ts-expect-error The fragment hides its fields from the component that does not own it.
  credit?.evidence;`;

const checked = { target: 'ES2022', lib: ['ES2022', 'DOM'], types: [], noEmit: true };

/**
 * The compiler options of `create-vite --template react-ts` 9.3 and of `create-next-app` 16.4, without their plugins and types, and two
 * resolutions that check the declarations of packages too.
 */
const templates: readonly (readonly [string, object])[] = [
  [
    'Vite',
    {
      ...{ target: 'es2023', lib: ['ES2023', 'DOM'], module: 'esnext', types: [], allowArbitraryExtensions: true },
      ...{ skipLibCheck: true, moduleResolution: 'bundler', allowImportingTsExtensions: true, noEmit: true },
      ...{ verbatimModuleSyntax: true, moduleDetection: 'force', jsx: 'react-jsx', noUnusedLocals: true },
      ...{ noUnusedParameters: true, erasableSyntaxOnly: true, noFallthroughCasesInSwitch: true },
    },
  ],
  [
    'Next.js',
    {
      ...{ target: 'ES2017', lib: ['dom', 'dom.iterable', 'esnext'], types: [], allowJs: true, skipLibCheck: true },
      ...{ strict: true, noEmit: true, esModuleInterop: true, module: 'esnext', moduleResolution: 'bundler' },
      ...{ resolveJsonModule: true, isolatedModules: true, jsx: 'react-jsx', paths: { '@/*': ['./*'] } },
    },
  ],
  ['node16', { ...checked, module: 'node16' }],
  ['a bundler', { ...checked, module: 'preserve', moduleResolution: 'bundler' }],
];

/** Imports every entry point of padron-client. */
const usesAll = `
  import { ApolloLink, InMemoryCache } from '@apollo/client';
  import { isFound } from 'padron-client';
  import { possibleTypes, retryFailed, typePolicies, unitsLink } from 'padron-client/apollo';
  import { type ProblemText, problemTexts, textOfError } from 'padron-client/texts';
  import { type Estimate, priceOf } from 'padron-client/units';
  import { keys, resolvers, unitsExchange } from 'padron-client/urql';
  const text: ProblemText = problemTexts.WRONG_PASSWORD;
  const price: Promise<Estimate> = priceOf('{ __typename }', {}, { url: '' });
  const link: ApolloLink = unitsLink(({ spent }) => spent.toFixed());
  export const all = [new InMemoryCache({ typePolicies, possibleTypes }), keys, resolvers, link, unitsExchange];
  export const rest = [text, price, retryFailed, textOfError, isFound(null)];
  // @ts-expect-error Types are not lost on the way.
  problemTexts.NO_SUCH_CODE;`;

const page = 'docs/clients.md';
const isMasked = ({ code }: PageBlock): boolean => code.includes('getFragmentData');

describe('the TypeScript of docs/clients.md', () => {
  let folder: FrontendFolder;
  beforeEach(() => {
    folder = new FrontendFolder();
  });
  afterEach(() => folder.remove());

  it('compiles under strict, with padron-client installed as the page says', async () => {
    const blocks = blocksOfPage(page, 'ts', 'tsx').filter((block) => !isMasked(block));
    expect(blocks).toHaveLength(surroundings.length);
    for (const [index, { code, language }] of blocks.entries())
      folder.write(`block-${index}.${language}`, `${surroundings[index]}\n${code}`);
    expect(await folder.compile([], 'block-*')).toBe('');
  });

  it('is preceded by commands that generate the types of a new frontend', async () => {
    const [block] = blocksOfPage(page, 'sh');
    const copy = block?.code.split('\n').find((line) => line.startsWith('cp ')) ?? '';
    folder.write('src/credit.graphql', 'query Credit($nss: NSS!) { person(nss: $nss) { credit { outcome } } }');
    await run('sh', ['-c', `${copy} && npx graphql-codegen`], { cwd: folder.path });
    folder.write('src/credit.ts', "import { CreditDocument } from './generated/graphql'; CreditDocument.kind;");
    expect(await folder.compile([], 'src')).toBe('');
  });

  it.each(templates)('compiles in a new project of %s', async (_, options) => {
    folder.write('uses-all.ts', usesAll);
    folder.write('uses-all.mts', usesAll);
    const stricter = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, strict: true };
    const include = ['uses-all.*', 'generated/**/*'];
    for (const changes of [{}, stricter]) {
      const reported = await folder.compileWith({ ...options, ...changes }, ...include);
      // Without skipLibCheck, the declarations of Apollo Client have errors themselves.
      expect(reported.split('\n').filter((line) => !/^($| |node_modules\/(?!padron-client))/.test(line))).toEqual([]);
    }
  });

  it('compiles with masked fragments, where a lookup without its outcome does not', async () => {
    const [operation] = blocksOfPage(page, 'graphql').filter(({ code }) => code.includes('fragment CreditRecord'));
    const [block] = blocksOfPage(page, 'ts').filter(isMasked);
    const unjudged = 'query Unjudged($nss: NSS!) { person(nss: $nss) { credit { ...CreditProof } } }';
    folder.write('credit.graphql', `${operation?.code}\n${unjudged}`);
    folder.write('masked.ts', `${maskedSurroundings}\n${block?.code}`);
    await folder.generate({ fragmentMasking: { unmaskFunctionName: 'getFragmentData' } });
    expect(await folder.compile([], 'masked.ts')).toBe('');
  });
});

const root = join(__dirname, '../../..');
const codegen = join(root, 'node_modules/@graphql-codegen/cli/esm/bin.js');
const operation = 'query Credit($nss: NSS!) { person(nss: $nss) { nss credit { outcome } } }';

describe('the documents of docs/trusted-documents.md', () => {
  let folder: FrontendFolder;
  beforeEach(() => {
    folder = new FrontendFolder();
  });
  afterEach(() => folder.remove());

  it('are published with `__typename` and with the query of priceOf', async () => {
    const [helper] = blocksOfPage('docs/trusted-documents.md', 'js').filter(({ code }) => code.includes('transform'));
    const [published] = blocksOfPage('docs/trusted-documents.md', 'yaml').filter(({ code }) =>
      code.includes('documents: ['),
    );
    const [yaml, transforms] = ['persistedDocuments', 'documentTransforms'].map((text) => {
      const [block] = blocksOfPage('docs/trusted-documents.md', 'yaml').filter(({ code }) => code.includes(text));
      return parse(block?.code ?? '').generates['src/generated/'];
    });
    const settings = parse(readFileSync(join(folder.path, 'node_modules/padron-client/schema/codegen.yml'), 'utf8'));
    const [output] = Object.values(settings.generates) as object[];
    folder.write('add-typename.cjs', helper?.code ?? '');
    folder.write('src/credit.graphql', operation);
    const generates = { 'src/generated/': { ...output, ...yaml, ...transforms } };
    const { documents } = parse(published?.code ?? '');
    folder.write('codegen.yml', stringify({ ...settings, documents, generates }));
    await promisify(execFile)(process.execPath, [codegen, '--config', 'codegen.yml'], { cwd: folder.path });

    const file = join(folder.path, 'src/generated/persisted-documents.json');
    const texts: readonly string[] = Object.values(JSON.parse(readFileSync(file, 'utf8')));
    expect(texts.map((text) => text.includes('__typename'))).toEqual([true, true]);
    const padron = await runPadron({ environment: { TRUSTED_DOCUMENTS: file } });
    try {
      const options = { url: padron.url, headers: { authorization: `Bearer ${SANDBOX_TOKEN}` } };
      const variables = { nss: '04159600263' };
      expect(await priceOf(operation, variables, options)).toMatchObject({ estimatedUnits: 1 });
      const untrusted = operation.replace('outcome', 'outcome record { hasCredit }');
      await expect(priceOf(untrusted, variables, options)).rejects.toThrow('`operation` is rejected');
      expect(padron.calls()).toEqual([]);
    } finally {
      await padron.stop();
    }
  });
});

const example = join(__dirname, '../../../examples/testing');
const files = readdirSync(example).map((name) => ({ name, code: readFileSync(join(example, name), 'utf8') }));
const jestCommand = join(__dirname, '../../../node_modules/jest/bin/jest.js');

/** Result of a test of the page, as `jest --json` reports it. */
interface AssertionResult {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

describe('the tests of examples/testing', () => {
  const padron = startForTests(
    () =>
      startPadron(readConfig({ PORT: '0', REPLAY_SECONDS: '1' }), createLogger('silent', { write: () => undefined })),
    (running) => running.stop(),
  );
  let folder: FrontendFolder;
  beforeAll(async () => {
    folder = new FrontendFolder();
    for (const { name, code } of files) folder.write(name, code);
    await folder.generate();
  });
  afterAll(() => folder.remove());

  it('compile under strict', async () => {
    expect(await folder.compile(['jest', 'node'], '*.ts', '*.tsx')).toBe('');
  });

  it('do not compile if a mock has no __typename', async () => {
    const withoutTypename = files
      .filter(({ name }) => name === 'credit-mocks.ts')
      .map(({ code }) => code.replace("__typename: 'HousingCreditLookup', ", ''));
    folder.write('untyped-mocks.ts', withoutTypename.join());
    expect(await folder.compile([], 'untyped-mocks.ts')).toMatch(/'__typename' is missing|not assignable/);
  });

  it('pass twice, those of the sandbox with the documented calls', async () => {
    for (const _run of ['first', 'second']) {
      const environment = { ...process.env, PADRON_URL: padron.url, NODE_ENV: 'test' };
      const options = ['--json', '--runInBand', '--config', 'jest.config.cjs'];
      const { stdout } = await run(process.execPath, [jestCommand, ...options], {
        cwd: folder.path,
        env: environment,
      }).catch((error: { readonly stdout: string }) => error);
      const { testResults } = JSON.parse(stdout) as {
        readonly testResults: readonly {
          readonly message: string;
          readonly assertionResults: readonly AssertionResult[];
        }[];
      };
      expect(testResults.map(({ message }) => message).join('')).toBe('');
      expect(testResults).toHaveLength(4);
      expect(testResults.flatMap(({ assertionResults }) => assertionResults)).toHaveLength(13);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
    expect(sandboxOf(padron)?.calls.map(({ endpoint }) => endpoint)).toEqual(
      Array(8).fill('POST /api/infonavit/grupo/buscar-credito'),
    );
  });
});
