import { type ASTNode, type DocumentNode, Kind, parse, print, visit } from 'graphql';
import { LRUCache } from 'lru-cache';
import { estimateDocumentBytes, estimateTextBytes } from './document-size';

/** Maximum number of entries in each cache. */
const maxEntries = 1_000;
/** Maximum bytes of memory that all documents use. */
const maxDocumentBytes = 32_000_000;
/** Maximum bytes of memory that all registered texts use. A text is only read until its document is cached. */
const maxTextBytes = 2_000_000;
/** Maximum number of characters of a cached document. */
const maxDocumentLength = 50_000;
/** Maximum share of a cache that one entry may use. */
const maxShare = 1 / 5;
/** Number of digits from which a name may be an identifier. Names of the graph and of most operations have fewer. */
const minIdentifierDigits = 4;

/** The methods of Apollo's cache interface that Apollo Server calls. */
interface ApolloCache<Value> {
  get(key: string): Promise<Value | undefined>;
  set(key: string, value: Value): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** Caches of validated documents, and of the texts that clients register by hash (persisted queries). */
export class DocumentStore {
  private readonly byHash = createCache<DocumentNode>(maxDocumentBytes, estimateDocumentBytes);
  private readonly texts = createCache<string>(maxTextBytes, estimateTextBytes);

  /** Validated documents, for Apollo's option `documentStore`. */
  readonly documents: ApolloCache<DocumentNode> = {
    get: async (key) => this.byHash.get(toHash(key)),
    set: async (key, document) => {
      if (isCacheable(document)) this.byHash.set(toHash(key), document);
    },
    delete: async (key) => this.byHash.delete(toHash(key)),
  };

  /** Registered texts. If a text is missing, Apollo asks the client to send it again. */
  readonly persistedQueries: ApolloCache<string> = {
    get: async (key) => {
      const document = this.byHash.get(toHash(key));
      return document === undefined ? this.texts.get(toHash(key)) : textOf(document);
    },
    set: async (key, text) => {
      if (isCacheableText(text)) this.texts.set(toHash(key), text);
    },
    delete: async (key) => this.texts.delete(toHash(key)),
  };

  /** Estimated bytes of the cached documents. */
  get size(): number {
    return this.byHash.calculatedSize;
  }
}

/** Returns the hash of a document from Apollo's key, which begins with a prefix. */
const toHash = (key: string): string => key.slice(-64);
const textOf = ({ loc }: DocumentNode): string => loc?.source.body ?? '';

function createCache<Value extends object | string>(
  maxSize: number,
  estimateBytes: (value: Value) => number,
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({
    max: maxEntries,
    maxSize,
    maxEntrySize: maxSize * maxShare,
    sizeCalculation: (value) => estimateBytes(value) + 1,
  });
}

/**
 * Whether a document may be cached. A document with literal values is not cached. If a caller writes a CURP into the document instead of
 * a variable, it would stay in memory, and anyone with the hash could use it.
 */
function isCacheable(document: DocumentNode): boolean {
  return textOf(document).length < maxDocumentLength && !containsLiterals(document);
}

function isCacheableText(text: string): boolean {
  try {
    return !containsLiterals(parse(text));
  } catch {
    return false;
  }
}

/** Whether the document contains values instead of variables. */
function containsLiterals(document: DocumentNode): boolean {
  let found = false;
  const markFound = (): void => {
    found = true;
  };
  // The text may contain comments, which the parsed document does not.
  if (document.loc?.source.body.includes('#')) return true;
  visit(document, {
    StringValue: markFound,
    IntValue: markFound,
    FloatValue: markFound,
    Name: ({ value }) => {
      if (value.replace(/\D/g, '').length >= minIdentifierDigits) markFound();
    },
    // Inside a representation any value is accepted, so a name without quotes may be an identifier.
    EnumValue: (_node, _key, parent) => {
      if (!hasTypedPosition(parent)) markFound();
    },
    Argument: ({ name, value }) => {
      if (name.value === 'representations' && value.kind !== Kind.VARIABLE) markFound();
    },
    VariableDefinition: ({ type, defaultValue }) => {
      if (defaultValue !== undefined && print(type).includes('_Any')) markFound();
    },
  });
  return found;
}

/** Whether the schema checks the type of an enum value with this parent. */
function hasTypedPosition(parent: ASTNode | readonly ASTNode[] | undefined): boolean {
  if (parent === undefined || !('kind' in parent)) return false;
  return parent.kind === Kind.ARGUMENT || parent.kind === Kind.VARIABLE_DEFINITION;
}
