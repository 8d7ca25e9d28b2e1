import { type ASTNode, type DocumentNode, Kind, parse, print, visit } from 'graphql';
import { LRUCache } from 'lru-cache';
import { weighDocument, weighText } from './document-weight';

const maxDocuments = 1_000;
/** Of all documents that are kept, in memory. */
const maxDocumentBytes = 32_000_000;
/** Of all texts that clients registered; of these alone little is kept, and each is read when it is first asked. */
const maxTextBytes = 2_000_000;
const maxDocumentLength = 50_000;
/** One may take so much of what there is for all. */
const maxShare = 1 / 5;
/** Names of this graph and of most operations have fewer digits. */
const digitsOfAnIdentifier = 4;

/** What Apollo asks of a cache. */
interface Store<Value> {
  get(key: string): Promise<Value | undefined>;
  set(key: string, value: Value): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** The documents that Apollo has read and validated, and the texts that clients call by their hash. */
export class DocumentStore {
  private readonly byHash = createCache<DocumentNode>(maxDocumentBytes, weighDocument);
  private readonly texts = createCache<string>(maxTextBytes, weighText);

  /** Apollo's `documentStore`. */
  readonly documents: Store<DocumentNode> = {
    get: async (key) => this.byHash.get(toHash(key)),
    set: async (key, document) => {
      if (isCacheable(document)) this.byHash.set(toHash(key), document);
    },
    delete: async (key) => this.byHash.delete(toHash(key)),
  };

  /** Texts that clients registered by their hash; one that is not kept, they send whole. */
  readonly persistedQueries: Store<string> = {
    get: async (key) => {
      const document = this.byHash.get(toHash(key));
      return document === undefined ? this.texts.get(toHash(key)) : textOf(document);
    },
    set: async (key, text) => {
      if (isCacheableText(text)) this.texts.set(toHash(key), text);
    },
    delete: async (key) => this.texts.delete(toHash(key)),
  };

  /** Bytes that the documents take, by estimate. */
  get size(): number {
    return this.byHash.calculatedSize;
  }
}

/** Apollo puts words of its own before a document's hash. */
const toHash = (key: string): string => key.slice(-64);
const textOf = ({ loc }: DocumentNode): string => loc?.source.body ?? '';

function createCache<Value extends object | string>(
  maxSize: number,
  weigh: (value: Value) => number,
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({
    max: maxDocuments,
    maxSize,
    maxEntrySize: maxSize * maxShare,
    sizeCalculation: (value) => weigh(value) + 1,
  });
}

/**
 * Only what is not very long and holds no values of its own is kept: a caller who writes a CURP into the document instead of a variable would otherwise
 * leave it in memory for as long as the process runs, to be had by whoever knows the hash.
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

/** Whether values stand in the document itself instead of in variables. */
function containsLiterals(document: DocumentNode): boolean {
  let found = false;
  const note = (): void => {
    found = true;
  };
  // Comments are no part of the document that is read, but of the text that it keeps.
  if (document.loc?.source.body.includes('#')) return true;
  visit(document, {
    StringValue: note,
    IntValue: note,
    FloatValue: note,
    Name: ({ value }) => {
      if (value.replace(/\D/g, '').length >= digitsOfAnIdentifier) note();
    },
    // In a representation any name may stand for a text.
    EnumValue: (_node, _key, parent) => {
      if (!isNamedPlace(parent)) note();
    },
    Argument: ({ name, value }) => {
      if (name.value === 'representations' && value.kind !== Kind.VARIABLE) note();
    },
    VariableDefinition: ({ type, defaultValue }) => {
      if (defaultValue !== undefined && print(type).includes('_Any')) note();
    },
  });
  return found;
}

/** Where an enum's value stands by itself: the graph gives its type. */
function isNamedPlace(parent: ASTNode | readonly ASTNode[] | undefined): boolean {
  if (parent === undefined || !('kind' in parent)) return false;
  return parent.kind === Kind.ARGUMENT || parent.kind === Kind.VARIABLE_DEFINITION;
}
