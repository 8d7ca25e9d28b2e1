import {
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  Kind,
  Lexer,
  type SelectionSetNode,
  Source,
  type SourceLocation,
  TokenKind,
  type ValidationContext,
  visit,
} from 'graphql';
// graphql-js rethrows any other error of a rule, and Apollo Server would respond with 500. This error is exported by this path only.
import { validationAbortedError } from 'graphql/validation/validationAbortedError';
import { isDamaged, type Text } from '../../../identifiers/text';

/** Maximum nesting. It is far more than a document needs, and far less than the call stack allows. */
const maxDepth = 200;
/** Maximum number of lines, and therefore of comments, which graphql-js keeps but does not count as tokens. */
const maxLines = 20_000;
/** Maximum length of a name, because a name may be repeated in each of a hundred errors and in each entity of a response. */
const maxNameLength = 1_000;

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

interface DocumentShape {
  readonly isTooDeep: boolean;
  /** Length of the first name that is too long, or null. */
  readonly longNameLength: number | null;
  readonly hasNul: boolean;
  readonly hasDamagedText: boolean;
}

/** Returns why a document is rejected before graphql-js parses it. Returns null if it may be parsed. */
export function explainRejection(source: string, maxTokens: number): Text | null {
  const { isTooDeep, longNameLength, hasNul, hasDamagedText } = scanTokens(source, maxTokens);
  if (isTooDeep) return tooDeep;
  const lines = source.split(/\r\n|[\n\r]/).length;
  if (lines > maxLines) return tooManyLines(lines);
  if (longNameLength !== null) return nameTooLong(longNameLength);
  if (hasNul) return nul;
  return hasDamagedText ? damaged : null;
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
const damaged: Text = {
  english:
    'A text in the document was damaged before it was sent: it has the character U+FFFD. Send the original text as UTF-8.',
  spanish:
    'Un texto del documento se dañó antes de enviarse: tiene el carácter U+FFFD. Envíe el texto original en UTF-8.',
};

/**
 * Reads the tokens of a document without recursion. graphql-js parses and validates by recursion, so a deeply nested document could
 * overflow the stack. Stops after `maxTokens`, because the parser rejects such a document.
 */
function scanTokens(source: string, maxTokens: number): DocumentShape {
  const lexer = new Lexer(new Source(source));
  let levels = 0;
  let longNameLength: number | null = null;
  let hasNul = false;
  let hasDamagedText = false;
  try {
    for (let count = 0; count <= maxTokens; count += 1) {
      const { kind, start, end, value } = lexer.advance();
      if (kind === TokenKind.EOF) break;
      if (opening.has(kind)) levels += 1;
      else if (closing.has(kind)) levels -= 1;
      if (levels > maxDepth) return { isTooDeep: true, longNameLength, hasNul, hasDamagedText };
      if (kind === TokenKind.NAME && end - start > maxNameLength) longNameLength ??= end - start;
      if (kind !== TokenKind.STRING && kind !== TokenKind.BLOCK_STRING) continue;
      hasNul ||= value.includes('\0');
      hasDamagedText ||= isDamaged(value);
    }
  } catch {
    // The parser reports the syntax error.
  }
  return { isTooDeep: false, longNameLength, hasNul, hasDamagedText };
}

export const tooManyOverlaps: Text = {
  english: 'The document selects the same fields too often to be validated.',
  spanish: 'El documento pide los mismos campos demasiadas veces para poder validarse.',
};

/** Cost of comparing two leaves, two fields with arguments or a selection, and two fragments. */
const costs = { leaf: 1, field: 10, fragment: 3 } as const;
/** Maximum cost, about twenty milliseconds. It allows the same leaf seven hundred times, or the same field with a selection two hundred times. */
const maxCost = 250_000;

/**
 * Rejects a document that selects the same fields so often that comparing all pairs of them, as a rule of graphql-js does, would block the
 * event loop. This rule only counts the pairs, and runs before that rule.
 */
export function limitOverlaps(_context: ValidationContext): ASTVisitor {
  return {
    Document: (document) => {
      if (countOverlaps(document) > maxCost) throw validationAbortedError;
    },
  };
}

export const isOverlapError = (error: GraphQLError): boolean => error === validationAbortedError;

function countOverlaps(document: DocumentNode): number {
  let cost = 0;
  visit(document, {
    SelectionSet: (selectionSet, _key, parent) => {
      // The fields of an inline fragment belong to the selection around it.
      if (parent !== undefined && 'kind' in parent && parent.kind === Kind.INLINE_FRAGMENT) return;
      cost += countPairs(selectionSet, new Map(), new Set());
    },
  });
  return cost;
}

/** Returns the cost of comparing fields that have the same name in the response, and every fragment with every other. */
function countPairs({ selections }: SelectionSetNode, fields: Map<string, number>, fragments: Set<string>): number {
  let cost = 0;
  for (const selection of selections) {
    if (selection.kind === Kind.INLINE_FRAGMENT) cost += countPairs(selection.selectionSet, fields, fragments);
    else if (selection.kind === Kind.FIELD) {
      const name = (selection.alias ?? selection.name).value;
      const count = fields.get(name) ?? 0;
      cost += count * (isLeaf(selection) ? costs.leaf : costs.field);
      fields.set(name, count + 1);
    } else if (!fragments.has(selection.name.value)) {
      cost += fragments.size * costs.fragment;
      fragments.add(selection.name.value);
    }
  }
  return cost;
}

const isLeaf = ({ arguments: values, selectionSet }: FieldNode): boolean =>
  selectionSet === undefined && (values === undefined || values.length === 0);

const maxLocations = 10;

const texts = new WeakMap<Source, DocumentText>();

/**
 * Empties the source that the nodes of a document refer to. graphql-js scans this text from its beginning for each error that it
 * creates, which takes too long for many errors in a large document. `locate` finds the line and the column instead.
 */
export function detachSource(document: DocumentNode): void {
  const { loc } = document;
  if (loc === undefined || texts.has(loc.source)) return;
  const { source } = loc;
  texts.set(source, new DocumentText(source.body));
  // The document node itself keeps the text.
  Object.assign(document, { loc: { ...loc, source: new Source(source.body, source.name) } });
  Object.assign(source, { body: '' });
}

export function locate({ source, positions, locations }: GraphQLError): readonly SourceLocation[] | undefined {
  const text = source === undefined ? undefined : texts.get(source);
  if (text === undefined || positions === undefined) return locations?.slice(0, maxLocations);
  return positions.slice(0, maxLocations).map((position) => text.locate(position));
}

class DocumentText {
  private starts: readonly number[] | null = null;

  constructor(private readonly text: string) {}

  locate(position: number): SourceLocation {
    this.starts ??= [0, ...Array.from(this.text.matchAll(/\r\n|[\n\r]/g), ({ 0: end, index }) => index + end.length)];
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: position + 1 - (this.starts[low] ?? 0) };
  }
}
