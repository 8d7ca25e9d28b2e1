import { type ASTNode, type DocumentNode, Kind, parse, print, visit } from 'graphql';
import { LRUCache } from 'lru-cache';
import { weighDocument, weighText } from './document-weight';

const maxDocuments = 1_000;
/** Maximum size of all kept documents, in bytes of memory. */
const maxDocumentBytes = 32_000_000;
/** Maximum size of all texts that clients registered. Little is kept of these, and each is parsed on its first use. */
const maxTextBytes = 2_000_000;
const maxDocumentLength = 50_000;
/** Maximum share of the space that a single document may use. */
const maxShare = 1 / 5;
/** Names of this graph and of most operations have fewer digits. */
const digitsOfAnIdentifier = 4;

/** The part of Apollo's cache interface that Apollo uses. */
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

/** Returns the hash of a document from Apollo's key, which begins with a prefix. */
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
 * Whether a document may be kept. A document with literal values is not kept: a caller who writes a CURP into the
 * document instead of a variable would leave it in memory, for anyone who knows the hash.
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
  const note = (): void => {
    found = true;
  };
  // Comments are not in the parsed document, but in its text.
  if (document.loc?.source.body.includes('#')) return true;
  visit(document, {
    StringValue: note,
    IntValue: note,
    FloatValue: note,
    Name: ({ value }) => {
      if (value.replace(/\D/g, '').length >= digitsOfAnIdentifier) note();
    },
    // In a representation, any name may be a text.
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

/** Whether an enum value here has a type from the graph. */
function isNamedPlace(parent: ASTNode | readonly ASTNode[] | undefined): boolean {
  if (parent === undefined || !('kind' in parent)) return false;
  return parent.kind === Kind.ARGUMENT || parent.kind === Kind.VARIABLE_DEFINITION;
}
