import { GraphQLError, type GraphQLSchema, Kind } from 'graphql';
import { locate } from '../../graph/operations/document-source';
import { tooManyOverlaps } from '../../graph/operations/overlap-rule';
import type { MessageOptions } from './input-description';
import { describeLiteralError } from './literal-error';
import { describeSyntaxError } from './syntax-error';

const generalMessage = 'The request does not fit the schema.';

/**
 * Replaces the message of an error about the client's document by a message with only the path and the expected type. graphql-js quotes
 * the whole literal, which may contain a password. `nodes`, `source` and `originalError` are removed too, because they lead to the
 * document. An error of a resolver is returned unchanged.
 */
export function redactClientValues(error: GraphQLError, schema: GraphQLSchema, options: MessageOptions): GraphQLError {
  const message = safeMessage(error, schema, options);
  return message === null ? error : replaceMessage(error, message);
}

function safeMessage(error: GraphQLError, schema: GraphQLSchema, options: MessageOptions): string | null {
  const node = error.nodes?.[0];
  if (!node) return safeMessageWithoutNode(error);
  // An error of a resolver points at its field. An error about an argument points at the argument.
  if (error.path && node.kind === Kind.FIELD) return null;
  try {
    // The message would quote the value of a variable. padron has checked variables before, so this is not expected.
    if (error.message.includes(' got invalid value ')) return generalMessage;
    return describeLiteralError(error, node, schema, options) ?? shortenNames(error.message);
  } catch {
    return generalMessage;
  }
}

function safeMessageWithoutNode(error: GraphQLError): string | null {
  if (error.message.startsWith('Syntax Error: ')) return describeSyntaxError(error.message);
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
