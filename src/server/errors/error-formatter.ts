import { unwrapResolverError } from '@apollo/server/errors';
import {
  type ASTNode,
  GraphQLError,
  type GraphQLFormattedError,
  isValueNode,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { UnknownEntityError } from '../../graph/core/client-error';
import { locate, tooManyOverlaps } from '../../graph/core/operations/document-guards';
import type { Graph } from '../../graph/schema/build-schema';
import type { CodeEntry } from '../../identifiers/code-entry';
import { UnauthenticatedError } from '../../registry/answer/answer';
import { StoreBusyError, StoreUnavailableError } from '../../store/store';
import type { Logger } from '../telemetry/logger';
import { allCodes } from './codes';
import { scalarHint } from './input-description';
import { findVariableErrors, VariableError } from './variable-error';

const codeByMessage: Readonly<Record<string, string>> = {
  'Unsupported persisted query version': 'BAD_REQUEST',
  'provided sha does not match query': 'BAD_REQUEST',
};

export class ErrorFormatter {
  /** Results of `formatAll`, by error. Apollo later asks for them one by one, without their request. */
  private readonly formatted = new WeakMap<Error, GraphQLFormattedError>();

  /** Shown part of an error, by its code. */
  private readonly shown: ReadonlyMap<string, CodeEntry['shows']>;

  constructor(
    private readonly graph: Pick<Graph, 'schema' | 'codes'>,
    private readonly log: Logger,
    private readonly hideSuggestions: boolean,
    private readonly countError: (code: string) => void,
    private readonly urlOf: (code: string) => string | null = () => null,
  ) {
    this.shown = new Map(allCodes(graph).map(({ code, shows }) => [code, shows]));
  }

  formatAll(errors: readonly GraphQLError[], requestId: string): void {
    for (const error of errors) this.formatted.set(error, this.formatExecutionError(error, requestId));
  }

  findVariableErrors(
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
    requestId: string,
    checksTexts: boolean,
  ): readonly GraphQLFormattedError[] {
    const options = { hideSuggestions: this.hideSuggestions };
    const found = findVariableErrors(this.graph.schema, operation, variables, options, checksTexts);
    return found.map((error) => this.formatExecutionError(error, requestId));
  }

  formatExecutionError(error: GraphQLError, requestId: string): GraphQLFormattedError {
    const formatted = this.toFormatted(error, requestId);
    this.countError(getCode(formatted));
    return this.withUrl(formatted);
  }

  format = (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const existing = error instanceof Error ? this.formatted.get(error) : undefined;
    if (existing !== undefined) return existing;
    // Other errors occurred before the operation: a malformed header, or a body that is not a GraphQL request.
    const code = getCode(formatted);
    this.countError(code);
    if (this.shown.get(code) === 'message' || code === 'BAD_USER_INPUT') return this.withUrl(formatted);
    return this.withUrl(this.mask(formatted, error, null));
  };

  private withUrl(error: GraphQLFormattedError): GraphQLFormattedError {
    const url = this.urlOf(getCode(error));
    return url === null ? error : { ...error, extensions: { ...error.extensions, url } };
  }

  private toFormatted(error: GraphQLError, requestId: string): GraphQLFormattedError {
    const cause = error.path === undefined ? (error.originalError ?? error) : unwrapResolverError(error);
    const { path } = error;
    const locations = locate(error);
    const location = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
    if (cause instanceof UnauthenticatedError) {
      return { message: cause.message, ...location, extensions: { code: 'UNAUTHENTICATED' } };
    }
    if (cause instanceof StoreUnavailableError) {
      // The store may have made a change before it failed.
      const message =
        cause instanceof StoreBusyError
          ? 'The ledger did not answer in time. Nothing was read, and a change may not have been made. Ask for a shorter period, or retry later.'
          : 'The ledger is unavailable. Nothing was read, and a change may not have been made. Retry later, and repeat the change if it is missing. No entry of a call is lost.';
      return { message, ...location, extensions: { code: 'LEDGER_UNAVAILABLE' } };
    }
    if (cause instanceof UnknownEntityError) {
      const message = 'A representation names a type that is not an entity of this graph.';
      return { message, ...location, extensions: { code: 'BAD_USER_INPUT' } };
    }
    if (error instanceof VariableError)
      return { message: error.message, ...location, extensions: { code: 'BAD_USER_INPUT' } };
    const code = isAboutArgument(error) ? 'BAD_USER_INPUT' : (codeByMessage[error.message] ?? getCode(error));
    const shown = this.shown.get(code);
    if (shown === 'redacted message') {
      const redacted = redactClientValues(error);
      return { ...redacted.toJSON(), ...location, extensions: { code } };
    }
    if (shown === 'message') return { message: error.message, ...location, extensions: { code } };
    if (shown === 'message and extensions') {
      const { http: _http, ...extensions } = error.extensions;
      return { message: error.message, ...location, extensions };
    }
    return this.mask({ message: '', ...location }, cause, requestId);
  }

  private mask(formatted: GraphQLFormattedError, error: unknown, requestId: string | null): GraphQLFormattedError {
    this.log.internalError(error, requestId);
    const hint = requestId === null ? '' : ` Report request ID ${requestId} to the operator.`;
    return {
      ...formatted,
      message: `Internal error.${hint}`,
      extensions: { code: 'INTERNAL_SERVER_ERROR', ...(requestId === null ? {} : { requestId }) },
    };
  }
}

/**
 * Whether graphql-js rejected an argument while it ran the field. The error then points at the argument and has no code. If the argument
 * is of a directive at the root, the error has no path either.
 */
function isAboutArgument({ path, nodes, originalError, extensions }: GraphQLError): boolean {
  const node = nodes?.[0];
  const isOwn = originalError === undefined || originalError instanceof GraphQLError;
  const isFromExecution = path !== undefined || extensions.code === undefined;
  return isFromExecution && isOwn && node !== undefined && node.kind !== Kind.FIELD;
}

function getCode(error: { readonly extensions?: Readonly<Record<string, unknown>> }): string {
  const code = error.extensions?.code;
  return typeof code === 'string' ? code : '';
}

const introspectionOff =
  'Introspection is off on this server. The schema is in the package, as padron/schema/api.graphql. To turn introspection on, set INTROSPECTION=on for everyone, or EXPLORER=on for callers with a valid token.';
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
  if (error.message.startsWith('GraphQL introspection is not allowed')) return introspectionOff;
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

const maxListedErrors = 100;

/** Shortens a list of errors in place, because Apollo Server formats the same list. */
export function omitErrors(errors: readonly GraphQLError[]): void {
  const count = errors.length - maxListedErrors;
  if (count <= 0) return;
  const message = count === 1 ? 'And 1 more error.' : `And ${count} more errors.`;
  const omitted = new GraphQLError(message, { extensions: { code: 'ERRORS_OMITTED', count } });
  (errors as GraphQLError[]).splice(maxListedErrors, count, omitted);
}
