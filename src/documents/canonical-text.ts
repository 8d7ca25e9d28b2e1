import { sortExecutableDocument } from '@graphql-tools/documents';
import { type DocumentNode, Kind, Lexer, parse, print, Source, TokenKind, visit } from 'graphql';

/** A character that no token contains, because texts are written as JSON. */
const separator = '\n';

/**
 * Returns the tokens of a text in alphabetical order, without `__typename`. Texts that differ only in what clients change have the same
 * tokens. Returns null if the text has more than `maxTokens` other tokens, more `__typename` than selections, or no tokens at all.
 * It takes linear time and does not recurse, so it is safe for any text.
 */
export function tokenFingerprint(text: string, maxTokens: number): string | null {
  const tokens: string[] = [];
  let spareTypenames = 0;
  try {
    const lexer = new Lexer(new Source(text));
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      const { kind, value } = token;
      if (kind === TokenKind.BRACE_L) spareTypenames += 1;
      if (kind === TokenKind.NAME && value === '__typename') spareTypenames -= 1;
      // `query { … }` and `{ … }` are the same operation.
      else if (value !== 'query' || lexer.lookahead().kind !== TokenKind.BRACE_L)
        tokens.push(value === undefined ? kind : JSON.stringify(value));
      if (tokens.length > maxTokens) return null;
    }
  } catch {
    return null;
  }
  return tokens.length === 0 || spareTypenames < 0 ? null : tokens.sort().join(separator);
}

/** Returns the name of the operation that a text begins with, or null. The text is not parsed. */
export function findOperationName(text: string): string | null {
  try {
    const lexer = new Lexer(new Source(text));
    const [keyword, name] = [lexer.advance().value, lexer.advance()];
    return (keyword === 'query' || keyword === 'mutation') && name.kind === TokenKind.NAME ? name.value : null;
  } catch {
    return null;
  }
}

/** Returns the number of tokens in a fingerprint. */
export const countTokens = (fingerprint: string): number => fingerprint.split(separator).length;

/** Returns a document without `__typename`, and with each string in its plain form. */
export function normalize(document: DocumentNode): DocumentNode {
  return visit(document, {
    Field: ({ name, alias, directives = [] }) =>
      name.value === '__typename' && alias === undefined && directives.length === 0 ? null : undefined,
    StringValue: (node) => (node.block === true ? { kind: Kind.STRING, value: node.value } : undefined),
  });
}

/**
 * Returns the text of a normalized document without what else clients and build tools change: white space, comments, and the order of
 * definitions, selections and directives. The order is that of GraphQL Code Generator. The selections of a mutation keep their order,
 * because they run one after another.
 */
export const canonicalText = (document: DocumentNode): string => print(sortExecutableDocument(document));

/** Parses and normalizes a text. Returns null if it is not a document. */
export function parseNormalized(text: string): DocumentNode | null {
  try {
    return normalize(parse(text, { noLocation: true }));
  } catch {
    return null;
  }
}
