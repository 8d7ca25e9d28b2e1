import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readPage } from '../support/pages';

const run = promisify(execFile);
const root = join(__dirname, '../..');

/** What the code around each block provides: the imports of the client libraries, and values of the reader's own. */
const surroundings = [
  `import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
   import { Client, fetchExchange } from '@urql/core';
   import { cacheExchange } from '@urql/exchange-graphcache';
   import type { PersonProfileQuery } from './client/generated/graphql';
   declare const data: PersonProfileQuery; declare const uri: string; declare const url: string;
   declare function show(...values: unknown[]): void; declare function explain(...values: unknown[]): void;`,
  `import type { PersonProfileQuery } from './client/generated/graphql';
   declare const credit: NonNullable<NonNullable<PersonProfileQuery['person']>['credit']>;
   declare function show(...values: unknown[]): void;`,
  `import type { OperationVariables } from '@apollo/client';
   import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
   import { useEffect } from 'react';`,
  `import { ApolloLink, HttpLink } from '@apollo/client';
   import { fetchExchange } from '@urql/core';
   import { cacheExchange } from '@urql/exchange-graphcache';
   declare const uri: string; declare const url: string; declare const nss: string;
   declare const headers: Record<string, string>; declare const settings: Parameters<typeof cacheExchange>[0];
   declare function show(...values: unknown[]): void;`,
];

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'bundler',
  lib: ['ES2022', 'DOM'],
  types: [],
};

describe('the TypeScript of docs/clients.md', () => {
  it('compiles under strict, with the client kit copied to `client/` as the page says', async () => {
    const blocks = [...readPage('docs/clients.md').text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(
      ([, code = '']) => code,
    );
    expect(blocks).toHaveLength(surroundings.length);
    // Below node_modules, so that the packages of the clients are found.
    const cache = join(root, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'padron-blocks-'));
    try {
      cpSync(join(root, 'schema/client'), join(folder, 'client'), { recursive: true });
      for (const [index, block] of blocks.entries())
        writeFileSync(join(folder, `block-${index}.ts`), `${surroundings[index]}\n${block}`);
      const include = blocks.map((_, index) => `block-${index}.ts`);
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
      const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['--project', folder]).catch(
        (error: { readonly stdout: string }) => error,
      );
      expect(stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});
