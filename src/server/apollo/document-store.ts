import { type ASTNode, type DocumentNode, Kind, parse, print, visit } from 'graphql';
import { LRUCache } from 'lru-cache';

const maxDocuments = 1_000;
/** Of all documents kept: what is read from one takes some thirty times its text. */
const maxCharacters = 1_000_000;
const maxDocumentLength = 50_000;
/** Names of this graph and of most operations have fewer digits. */
const digitsOfAnIdentifier = 4;

/** What Apollo asks of a cache. */
interface Store<Value> {
  get(key: string): Promise<Value | undefined>;
  set(key: string, value: Value): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** Documents that were read and validated before. */
export function createDocumentStore(): Store<DocumentNode> {
  return createStore(isCacheable, ({ loc }) => loc?.end ?? 0);
}

/** Documents that clients send by their hash; one that is not kept, they send whole. */
export function createPersistedQueryStore(): Store<string> {
  return createStore(isCacheableText, ({ length }) => length);
}

function createStore<Value extends object | string>(
  isAllowed: (value: Value) => boolean,
  getLength: (value: Value) => number,
): Store<Value> {
  const cache = new LRUCache<string, Value>({
    max: maxDocuments,
    maxSize: maxCharacters,
    maxEntrySize: maxDocumentLength,
    sizeCalculation: (value) => getLength(value) + 1,
  });
  return {
    get: async (key) => cache.get(key),
    set: async (key, value) => {
      if (isAllowed(value)) cache.set(key, value);
    },
    delete: async (key) => cache.delete(key),
  };
}

const cacheable = new WeakMap<DocumentNode, boolean>();

/**
 * Only what holds no values of its own is kept: a caller who writes a CURP into the document instead of a variable would otherwise
 * leave it in memory for as long as the process runs, to be had by whoever knows the hash.
 */
export function isCacheable(document: DocumentNode): boolean {
  const verdict = cacheable.get(document) ?? !containsLiterals(document);
  cacheable.set(document, verdict);
  return verdict;
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
