import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { PageBlock } from './frontend-folder';
import { blocksOfPage, FrontendFolder } from './frontend-folder';

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
   declare function show(...values: unknown[]): void;`,
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

/**
 * The compiler options of `create-vite --template react-ts` 9.3 and of `create-next-app` 16.4, without their plugins and types, and two
 * resolutions that check the declarations of packages too.
 */
const templates: readonly (readonly [string, object])[] = [
  [
    'Vite',
    {
      target: 'es2023',
      lib: ['ES2023', 'DOM'],
      module: 'esnext',
      types: [],
      allowArbitraryExtensions: true,
      skipLibCheck: true,
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      moduleDetection: 'force',
      noEmit: true,
      jsx: 'react-jsx',
      noUnusedLocals: true,
      noUnusedParameters: true,
      erasableSyntaxOnly: true,
      noFallthroughCasesInSwitch: true,
    },
  ],
  [
    'Next.js',
    {
      target: 'ES2017',
      lib: ['dom', 'dom.iterable', 'esnext'],
      types: [],
      allowJs: true,
      skipLibCheck: true,
      strict: true,
      noEmit: true,
      esModuleInterop: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      resolveJsonModule: true,
      isolatedModules: true,
      jsx: 'react-jsx',
      paths: { '@/*': ['./*'] },
    },
  ],
  ['node16', { target: 'ES2022', lib: ['ES2022', 'DOM'], types: [], module: 'node16', noEmit: true }],
  [
    'a bundler',
    {
      target: 'ES2022',
      lib: ['ES2022', 'DOM'],
      types: [],
      module: 'preserve',
      moduleResolution: 'bundler',
      noEmit: true,
    },
  ],
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
