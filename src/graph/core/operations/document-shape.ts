import { Lexer, Source, TokenKind } from 'graphql';
import type { Text } from '../../../identifiers/text';

/** Maximum nesting. It is far more than a document needs, and far less than the call stack allows. */
const maxDepth = 200;
/** Maximum number of lines, and therefore of comments, which graphql-js keeps but does not count as tokens. */
const maxLines = 20_000;
/** Maximum length of a name, because a name may be repeated in each of a hundred errors and in each entity of an answer. */
const maxNameLength = 1_000;

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

interface DocumentShape {
  readonly isTooDeep: boolean;
  /** Length of the first name that is too long, or null. */
  readonly longName: number | null;
  readonly hasNul: boolean;
}

/** Returns why a document is rejected before graphql-js parses it. Returns null if it may be parsed. */
export function explainRejection(source: string, maxTokens: number): Text | null {
  const { isTooDeep, longName, hasNul } = scanTokens(source, maxTokens);
  if (isTooDeep) return tooDeep;
  const lines = source.split(/\r\n|[\n\r]/).length;
  if (lines > maxLines) return tooManyLines(lines);
  if (longName !== null) return nameTooLong(longName);
  return hasNul ? nul : null;
}

const tooDeep: Text = {
  english: `The document is nested too deeply. Use at most ${maxDepth} levels.`,
  spanish: `El documento tiene demasiados niveles. Use ${maxDepth} como máximo.`,
};
const tooManyLines = (lines: number): Text => ({
  english: `The document has ${lines} lines. Send at most ${maxLines}.`,
  spanish: `El documento tiene ${lines} líneas. Envíe ${maxLines} como máximo.`,
});
const nameTooLong = (length: number): Text => ({
  english: `A name has ${length} characters. Use at most ${maxNameLength}.`,
  spanish: `Un nombre tiene ${length} caracteres. Use ${maxNameLength} como máximo.`,
});
const nul: Text = {
  english: 'A text in the document has a NUL character (U+0000). Remove it.',
  spanish: 'Un texto del documento tiene un carácter NUL (U+0000). Quítelo.',
};

/**
 * Reads the tokens of a document without recursion. graphql-js parses and validates by recursion, so a deeply nested document could
 * overflow the stack. Stops after `maxTokens`, because the parser rejects such a document.
 */
function scanTokens(source: string, maxTokens: number): DocumentShape {
  const lexer = new Lexer(new Source(source));
  let levels = 0;
  let longName: number | null = null;
  let hasNul = false;
  try {
    for (let count = 0; count <= maxTokens; count += 1) {
      const { kind, start, end, value } = lexer.advance();
      if (kind === TokenKind.EOF) break;
      if (opening.has(kind)) levels += 1;
      else if (closing.has(kind)) levels -= 1;
      if (levels > maxDepth) return { isTooDeep: true, longName, hasNul };
      if (kind === TokenKind.NAME && end - start > maxNameLength) longName ??= end - start;
      if (kind === TokenKind.STRING || kind === TokenKind.BLOCK_STRING) hasNul ||= value.includes('\0');
    }
  } catch {
    // The parser reports the syntax error.
  }
  return { isTooDeep: false, longName, hasNul };
}
