import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentNode } from 'graphql';
import { generateTypes } from '../generate-types';
import { startForTests } from '../start-for-tests';

/** A document of GraphQL Code Generator, with the hash that its `persistedDocuments` adds. */
export type HashedDocument = DocumentNode & { readonly __meta__: { readonly hash: string } };

export interface PublishedExamples {
  readonly file: string;
  readonly ids: readonly string[];
  document(operation: string): HashedDocument;
}

/** Runs GraphQL Code Generator with `persistedDocuments` for the tests of a file or a `describe`. */
export function publishedExamplesForTests(): PublishedExamples {
  const folder = mkdtempSync(join(tmpdir(), 'padron-documents-'));
  const file = join(folder, 'persisted-documents.json');
  return startForTests(
    async () => {
      const code = await generateTypes(folder, { presetConfig: { fragmentMasking: false, persistedDocuments: true } });
      if (code !== 0) throw new Error(`GraphQL Code Generator ended with ${code}.`);
      const types = readFileSync(join(folder, 'graphql.ts'), 'utf8');
      return {
        file,
        ids: Object.keys(JSON.parse(readFileSync(file, 'utf8'))),
        document: (operation: string) => readDocument(types, operation),
      };
    },
    () => rmSync(folder, { recursive: true }),
  );
}

function readDocument(types: string, operation: string): HashedDocument {
  const line = new RegExp(`^export const ${operation}Document = (.+) as unknown as `, 'm').exec(types)?.[1];
  return JSON.parse(line ?? 'null') as HashedDocument;
}
