import { Lexer, Source, TokenKind } from 'graphql';

/** Far more than any document needs, and far less than the stack holds. */
const maxDepth = 200;
/** More than a document has that may be read: it has fewer tokens. graphql-js counts lines again for each error. */
const maxLines = 20_000;
/** A name may stand in each of a hundred errors, and in each entity of an answer. */
const maxNameLength = 1_000;

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Why a document is not handed to graphql-js at all; null where it may be. */
export function findUnreadable(source: string, maxTokens: number): string | null {
  if (exceedsMaxDepth(source, maxTokens))
    return `The document is nested too deeply to be read: at most ${maxDepth} levels are.`;
  const lines = countLines(source);
  if (lines > maxLines) return `The document has ${lines} lines; at most ${maxLines} are read.`;
  const length = findLongName(source, maxTokens);
  if (length !== null) return `A name has ${length} characters; at most ${maxNameLength} are read.`;
  return holdsNulText(source, maxTokens) ? 'A text in the document has a NUL character (U+0000). Remove it.' : null;
}

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

function countLines(source: string): number {
  let lines = 1;
  for (let index = source.indexOf('\n'); index >= 0; index = source.indexOf('\n', index + 1)) lines += 1;
  for (let index = source.indexOf('\r'); index >= 0; index = source.indexOf('\r', index + 1)) {
    if (source[index + 1] !== '\n') lines += 1;
  }
  return lines;
}

/** The length of the first name that is too long. */
function findLongName(source: string, maxTokens: number): number | null {
  if (!hasLongWord(source)) return null;
  const lexer = new Lexer(new Source(source));
  try {
    for (let count = 0; count <= maxTokens; count += 1) {
      const { kind, start, end } = lexer.advance();
      if (kind === TokenKind.EOF) return null;
      if (kind === TokenKind.NAME && end - start > maxNameLength) return end - start;
    }
  } catch {
    // The parser says what is wrong with it.
  }
  return null;
}

/** A NUL as a document can write it: itself, or by its number. */
const writtenNul = /\0|\\u(?:0000|\{0+\})/;

/** Whether a text in the document has a NUL. */
function holdsNulText(source: string, maxTokens: number): boolean {
  if (!writtenNul.test(source)) return false;
  const lexer = new Lexer(new Source(source));
  try {
    for (let count = 0; count <= maxTokens; count += 1) {
      const { kind, value } = lexer.advance();
      if (kind === TokenKind.EOF) return false;
      if ((kind === TokenKind.STRING || kind === TokenKind.BLOCK_STRING) && value.includes('\0')) return true;
    }
  } catch {
    // The parser says what is wrong with it.
  }
  return false;
}

/** Whether so many letters, digits and underscores follow each other, be it in a text or in a name. */
function hasLongWord(source: string): boolean {
  let length = 0;
  for (let index = 0; index < source.length; index += 1) {
    length = isWordCharacter(source.charCodeAt(index)) ? length + 1 : 0;
    if (length > maxNameLength) return true;
  }
  return false;
}

function isWordCharacter(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f
  );
}
