import { Lexer, Source, TokenKind } from 'graphql';

/** Far more than any document needs, and far less than the stack holds. */
const maxDepth = 200;

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Whether a document is nested too deeply to be handed to graphql-js: it parses and validates by recursion, and where the stack
 * ends depends on what has run before. Beyond `maxTokens` the parser rejects the document before it can get deep.
 */
export function exceedsMaxDepth(source: string, maxTokens: number): boolean {
  if (hasFewBrackets(source)) return false;
  const lexer = new Lexer(new Source(source));
  let levels = 0;
  try {
    for (let count = 0; count <= maxTokens; count += 1) {
      const { kind } = lexer.advance();
      if (kind === TokenKind.EOF) return false;
      if (opening.has(kind)) levels += 1;
      else if (closing.has(kind)) levels -= 1;
      if (levels > maxDepth) return true;
    }
  } catch {
    // The parser says what is wrong with it.
  }
  return false;
}

/** Asked of every request: counting the brackets takes a tenth of the time that reading what is between them does. */
function hasFewBrackets(source: string): boolean {
  let count = 0;
  for (const bracket of ['{', '[', '(']) {
    for (let index = source.indexOf(bracket); index >= 0; index = source.indexOf(bracket, index + 1)) {
      count += 1;
      if (count > maxDepth) return false;
    }
  }
  return true;
}
