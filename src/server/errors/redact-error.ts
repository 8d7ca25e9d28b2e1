import { GraphQLError, type GraphQLSchema, Kind } from 'graphql';
import { locate } from '../../graph/operations/document-source';
import type { ClientRequest } from './input-description';
import { literalMessage } from './literal-error';
import { syntaxMessage } from './syntax-error';

const UNREADABLE = 'The request does not fit the schema.';

/**
 * Replaces the message of an error that graphql-js made from the client's document by one made of path and expected type:
 * graphql-js prints the whole literal, with the password that may be in it. The document is left off too (`nodes`, `source`, `originalError`), since an error printed to a log quotes it. Other errors come back as they are.
 */
export function redactClientValues(error: GraphQLError, schema: GraphQLSchema, request: ClientRequest): GraphQLError {
  const message = safeMessage(error, schema, request);
  return message === null ? error : replaceMessage(error, message);
}

function safeMessage(error: GraphQLError, schema: GraphQLSchema, request: ClientRequest): string | null {
  const node = error.nodes?.[0];
  if (!node) return safeMessageWithoutNode(error);
  // A resolver's error points at its field; one about an argument, made just before, points at the argument's value.
  if (error.path && node.kind === Kind.FIELD) return null;
  try {
    // Variables are checked before: graphql-js would quote their values here.
    if (error.message.includes(' got invalid value ')) return UNREADABLE;
    return literalMessage(error, node, schema, request) ?? shortenNames(error.message);
  } catch {
    return UNREADABLE;
  }
}

function safeMessageWithoutNode(error: GraphQLError): string | null {
  if (error.message.startsWith('Syntax Error: ')) return syntaxMessage(error.message);
  if (error.message.startsWith('Unknown operation named "'))
    return 'The document has no operation with the requested name.';
  return limitMessages[error.message] ?? null;
}

/** Messages for errors of the libraries' limits. */
const limitMessages: Readonly<Record<string, string>> = {
  'Maximum call stack size exceeded': 'The document is nested too deeply.',
  'Validation aborted.': 'The document selects the same fields too often to be validated.',
};

/** Names in a document are the developer's, not the caller's; a very long one, or one of many digits, is most likely neither. */
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
  // Locations are numbers only, but GraphQLError derives them from the document, which must not come along.
  const locations = locate(error);
  if (locations) Object.defineProperty(rebuilt, 'locations', { value: locations, enumerable: true });
  return rebuilt;
}
