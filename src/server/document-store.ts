import { type DocumentNode, visit } from 'graphql';
import { LRUCache } from 'lru-cache';

const mostDocuments = 1_000;

/** What Apollo asks of a cache of documents. */
interface DocumentStore {
  get(key: string): Promise<DocumentNode | undefined>;
  set(key: string, document: DocumentNode): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/**
 * Documents that were read and checked before. One that holds values of its own is read anew each time: a caller who writes a
 * CURP into the document instead of a variable would otherwise leave it in memory for as long as the process runs.
 */
export function documentStore(): DocumentStore {
  const documents = new LRUCache<string, DocumentNode>({ max: mostDocuments });
  return {
    get: async (key) => documents.get(key),
    set: async (key, document) => {
      if (!holdsValues(document)) documents.set(key, document);
    },
    delete: async (key) => documents.delete(key),
  };
}

function holdsValues(document: DocumentNode): boolean {
  let found = false;
  const note = (): void => {
    found = true;
  };
  visit(document, { StringValue: note, IntValue: note, FloatValue: note });
  return found;
}
