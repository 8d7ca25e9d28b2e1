import { createHash } from 'node:crypto';
import { sortExecutableDocument } from '@graphql-tools/documents';
import {
  type DocumentNode,
  Kind,
  Lexer,
  parse,
  print,
  type SelectionNode,
  Source,
  type Token,
  TokenKind,
  visit,
} from 'graphql';
import { withoutDescriptions } from '../../../identifiers/without-descriptions';
import { explainRejection } from './document-guards';
import type { PublishedDocument } from './read-documents';

const hashPrefix = 'sha256:';

export class TrustedDocuments {
  private readonly texts = new Map<string, string>();
  private readonly canonical = new Map<string, Set<string>>();
  /**
   * Maximum number of tokens that a submitted text may have: twice those of the longest document, because clients add `__typename` to
   * selection sets.
   */
  private maxTokens = 0;

  constructor(documents: readonly PublishedDocument[]) {
    for (const document of documents) this.add(document);
  }

  /** Returns the text that was published under an ID: the key in its file, or the SHA-256 of the text, also with the prefix `sha256:`. */
  find(id: string): string | undefined {
    return this.texts.get(withoutPrefix(id));
  }

  /** Whether a text is a published document, apart from differences that do not change what it does. */
  has(text: string): boolean {
    const candidates = this.canonical.get(tokenFingerprint(text, this.maxTokens) ?? '');
    // A text is parsed only if it has the tokens of a published document.
    if (candidates === undefined || explainRejection(text, this.maxTokens) !== null) return false;
    try {
      return candidates.has(canonicalText(parse(text, { noLocation: true })));
    } catch {
      return false;
    }
  }

  private add({ id, text }: PublishedDocument): void {
    this.texts.set(createHash('sha256').update(text).digest('hex'), text);
    if (id !== null) this.texts.set(withoutPrefix(id), text);
    const document = parse(text, { noLocation: true });
    this.maxTokens = Math.max(this.maxTokens, 2 * (document.tokenCount ?? 0));
    const fingerprint = tokenFingerprint(text) ?? '';
    this.canonical.set(fingerprint, (this.canonical.get(fingerprint) ?? new Set()).add(canonicalText(document)));
  }
}

const withoutPrefix = (id: string): string => (id.startsWith(hashPrefix) ? id.slice(hashPrefix.length) : id);

/**
 * Returns the tokens of a text in alphabetical order, without strings and `__typename`. Texts that differ only in what clients change have
 * the same tokens. Returns null if the text has more than `maxTokens` tokens or cannot be read. It takes linear time and does not recurse,
 * so it is safe for any text. Sorting a document takes much longer, because it prints nested fragments at each level.
 */
function tokenFingerprint(text: string, maxTokens = Number.POSITIVE_INFINITY): string | null {
  const tokens: string[] = [];
  try {
    const lexer = new Lexer(new Source(text));
    for (let count = 0; lexer.advance().kind !== TokenKind.EOF; count += 1) {
      if (count === maxTokens) return null;
      const { kind, value } = lexer.token;
      // `query { … }` and `{ … }` are the same operation. A description is a string.
      const isKeyword = value === 'query' && lexer.lookahead().kind === TokenKind.BRACE_L;
      if (!isKeyword && value !== '__typename' && !isString(lexer.token)) tokens.push(value ?? kind);
    }
  } catch {
    return null;
  }
  return tokens.sort().join(' ');
}

const isString = ({ kind }: Token): boolean => kind === TokenKind.STRING || kind === TokenKind.BLOCK_STRING;

/** Returns the name of the operation that a text begins with, or null. The text is not parsed. */
export function findOperationName(text: string): string | null {
  try {
    const lexer = new Lexer(new Source(text));
    const first = lexer.advance();
    const [keyword, name] = [isString(first) ? lexer.advance() : first, lexer.advance()];
    const isNamed = (keyword.value === 'query' || keyword.value === 'mutation') && name.kind === TokenKind.NAME;
    return isNamed ? name.value : null;
  } catch {
    return null;
  }
}

/**
 * Returns the text of a document without what clients and build tools change: white space, comments, descriptions, the spelling of
 * strings, one `__typename` per selection set, and the order of definitions, selections and directives. The order is that of GraphQL
 * Code Generator. The selections of a mutation keep their order, because they run one after another.
 */
function canonicalText(document: DocumentNode): string {
  const plain: DocumentNode = visit(withoutDescriptions(document), {
    SelectionSet: (node) => {
      const selections = node.selections.filter((selection) => !isTypename(selection));
      return node.selections.length - selections.length === 1 ? { ...node, selections } : undefined;
    },
    StringValue: (node) => (node.block === true ? { kind: Kind.STRING, value: node.value } : undefined),
  });
  return print(sortExecutableDocument(plain));
}

const isTypename = (node: SelectionNode): boolean =>
  node.kind === Kind.FIELD && node.name.value === '__typename' && !node.alias && node.directives?.length === 0;
