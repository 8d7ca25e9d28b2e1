import { type ASTNode, type DocumentNode, Kind, parse, print, visit } from 'graphql';
import { LRUCache } from 'lru-cache';

const mostDocuments = 1_000;
/** Names of this graph and of most operations have fewer digits. */
const digitsOfAnIdentifier = 4;

/** What Apollo asks of a cache. */
interface Store<Kept> {
  get(key: string): Promise<Kept | undefined>;
  set(key: string, kept: Kept): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** Documents that were read and checked before. */
export function documentStore(): Store<DocumentNode> {
  return storeOf((document) => !holdsValues(document));
}

/** Documents that clients send by their hash; one that is not kept, they send whole. */
export function persistedStore(): Store<string> {
  return storeOf((text) => {
    try {
      return !holdsValues(parse(text));
    } catch {
      return false;
    }
  });
}

/**
 * Keeps what holds no values of its own: a caller who writes a CURP into the document instead of a variable would otherwise
 * leave it in memory for as long as the process runs, to be had by whoever knows the hash.
 */
function storeOf<Kept extends object | string>(mayKeep: (candidate: Kept) => boolean): Store<Kept> {
  const kept = new LRUCache<string, Kept>({ max: mostDocuments });
  return {
    get: async (key) => kept.get(key),
    set: async (key, candidate) => {
      if (mayKeep(candidate)) kept.set(key, candidate);
    },
    delete: async (key) => kept.delete(key),
  };
}

/** Whether values stand in the document itself instead of in variables. */
export function holdsValues(document: DocumentNode): boolean {
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
