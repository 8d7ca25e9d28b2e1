import { type ASTNode, GraphQLError, isValueNode, Kind } from 'graphql';
import { locate } from '../../graph/operations/document-source';
import { tooManyOverlaps } from '../../graph/operations/overlap-rule';
import { scalarHint } from './input-description';

const generalMessage = 'The request does not fit the schema.';

/**
 * Replaces the message of an error about the client's document. graphql-js quotes the whole literal, which may contain a password, so the
 * message of an error about a literal or the syntax only gives the line and the column. `nodes`, `source` and `originalError` are removed too, because they lead to the
 * document. An error of a resolver is returned unchanged.
 */
export function redactClientValues(error: GraphQLError): GraphQLError {
  const message = safeMessage(error);
  return message === null ? error : replaceMessage(error, message);
}

function safeMessage(error: GraphQLError): string | null {
  const node = error.nodes?.[0];
  if (!node) return safeMessageWithoutNode(error);
  // An error of a resolver points at its field. An error about an argument points at the argument.
  if (error.path && node.kind === Kind.FIELD) return null;
  // The message would quote the value of a variable. padron has checked variables before, so this is not expected.
  if (error.message.includes(' got invalid value ')) return generalMessage;
  if (!isLiteral(node)) return shortenNames(error.message);
  return `The value${place(error)} does not fit the schema.${scalarHint(error) || ' Send it as a variable to see why.'}`;
}

const isLiteral = (node: ASTNode): boolean =>
  node.kind !== Kind.VARIABLE && (isValueNode(node) || node.kind === Kind.OBJECT_FIELD);

function place(error: GraphQLError): string {
  const location = locate(error)?.[0];
  return location === undefined ? '' : ` at line ${location.line}, column ${location.column}`;
}

const tooManyTokens = /^Syntax Error: Document contains more tha[nt] \d+ tokens\. Parsing aborted\.$/;

function safeMessageWithoutNode(error: GraphQLError): string | null {
  if (tooManyTokens.test(error.message)) return error.message;
  if (error.message.startsWith('Syntax Error: ')) return `Syntax error${place(error)}.`;
  if (error.message.startsWith('Unknown operation named "'))
    return 'The document has no operation with the requested name.';
  return limitMessages[error.message] ?? null;
}

/** Messages for errors of the libraries' limits. */
const limitMessages: Readonly<Record<string, string>> = {
  'Maximum call stack size exceeded': 'The document is nested too deeply.',
  'Validation aborted.': tooManyOverlaps.english,
};

/** Shortens names in a message. Names of a document are written by developers, but long names or names with many digits may be data. */
function shortenNames(message: string): string {
  if (message.startsWith('There can be only one input field named "'))
    return 'A field of an input object is given twice.';
  return message.replace(/\w+/g, (name) => {
    if (name.replace(/\D/g, '').length >= 4) return '…';
    return name.length > 64 ? `${name.slice(0, 64)}…` : name;
  });
}

function replaceMessage(error: GraphQLError, message: string): GraphQLError {
  const { stacktrace: _printsTheMessage, ...extensions } = error.extensions;
  const rebuilt = new GraphQLError(message, { path: error.path ?? null, extensions });
  // GraphQLError derives locations from the document, which must not be attached. The locations alone are only numbers.
  const locations = locate(error);
  if (locations) Object.defineProperty(rebuilt, 'locations', { value: locations, enumerable: true });
  return rebuilt;
}
