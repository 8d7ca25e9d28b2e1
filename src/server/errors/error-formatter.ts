import { unwrapResolverError } from '@apollo/server/errors';
import {
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { locate } from '../../graph/operations/document-source';
import { UnknownEntityError } from '../../graph/schema/entities';
import { UnauthenticatedError } from '../../registry/answer/answer';
import { StoreUnavailableError } from '../../store/store';
import type { Logger } from '../telemetry/logger';
import { redactClientValues } from './redact-error';
import { findVariableErrors, VariableError } from './variable-error';

/** Errors of the document or its variables: graphql-js words them, and we word them again without the client's values. */
const clientErrorCodes: ReadonlySet<string> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
]);

/** Codes whose message is ours or Apollo's own, with nothing of the client in it. */
const safeCodes: ReadonlySet<string> = new Set([
  'BAD_REQUEST',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'LEDGER_OFF',
  'LEDGER_UNAVAILABLE',
  'BATCHES_OFF',
  'OVERLOADED',
  // Clients that first send a hash alone wait for these words, to send the document with it.
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

/** Codes of errors that are made here with all that they carry. */
const ownCodes: ReadonlySet<string> = new Set(['OPERATION_TOO_LARGE', 'ERRORS_OMITTED']);

/** Codes of errors that the libraries report without a code although the request is wrong. */
const codeByMessage: Readonly<Record<string, string>> = {
  'Unsupported persisted query version': 'BAD_REQUEST',
  'provided sha does not match query': 'BAD_REQUEST',
};

/** Every error that leaves the server is made or remade here: client errors without their values, our own bugs masked. */
export class ErrorFormatter {
  /** Errors are shown apart from the request that they belong to, which knows how to say them again. */
  private readonly formatted = new WeakMap<Error, GraphQLFormattedError>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly log: Logger,
    private readonly hideSuggestions: boolean,
    private readonly countError: (code: string) => void,
    /** Returns the address of a code's documentation, or null if there is none. */
    private readonly urlOf: (code: string) => string | null = () => null,
  ) {}

  /** Remakes the errors of a request that Apollo is about to format. */
  formatAll(errors: readonly GraphQLError[], requestId: string): void {
    for (const error of errors) this.formatted.set(error, this.formatExecutionError(error, requestId));
  }

  /** Returns the errors of variables that do not fit their types, as the client may read them. */
  findVariableErrors(
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
    requestId: string,
  ): readonly GraphQLFormattedError[] {
    const found = findVariableErrors(this.schema, operation, variables, { hideSuggestions: this.hideSuggestions });
    return found.map((error) => this.formatExecutionError(error, requestId));
  }

  /** Says an error of a request as its client may read it. */
  formatExecutionError(error: GraphQLError, requestId: string): GraphQLFormattedError {
    const remade = this.toFormatted(error, requestId);
    this.countError(getCode(remade));
    return this.withUrl(remade);
  }

  format = (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const existing = error instanceof Error ? this.formatted.get(error) : undefined;
    if (existing !== undefined) return existing;
    // Errors before the request is known: an unreadable header, or a body that is not a GraphQL request.
    const code = getCode(formatted);
    this.countError(code);
    if (safeCodes.has(code) || code === 'BAD_USER_INPUT') return this.withUrl(formatted);
    return this.withUrl(this.masked(formatted, error, null));
  };

  private withUrl(error: GraphQLFormattedError): GraphQLFormattedError {
    const url = this.urlOf(getCode(error));
    return url === null ? error : { ...error, extensions: { ...error.extensions, url } };
  }

  private toFormatted(error: GraphQLError, requestId: string): GraphQLFormattedError {
    const cause = unwrapResolverError(error);
    const { path } = error;
    const locations = locate(error);
    const location = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
    if (cause instanceof UnauthenticatedError) {
      return { message: cause.message, ...location, extensions: { code: 'UNAUTHENTICATED' } };
    }
    if (cause instanceof StoreUnavailableError) {
      // The store may have taken a change and then failed: that it was not made is not known.
      const message =
        'The ledger is unavailable. Nothing was read, and a change may not have been made. Retry later, and repeat the change if it is missing. No entry of a call is lost.';
      return { message, ...location, extensions: { code: 'LEDGER_UNAVAILABLE' } };
    }
    if (cause instanceof UnknownEntityError) {
      const message = 'A representation names a type that is not an entity of this graph.';
      return { message, ...location, extensions: { code: 'BAD_USER_INPUT' } };
    }
    if (error instanceof VariableError)
      return { message: error.message, ...location, extensions: { code: 'BAD_USER_INPUT' } };
    const code = isAboutArgument(error) ? 'BAD_USER_INPUT' : (codeByMessage[error.message] ?? getCode(error));
    if (clientErrorCodes.has(code)) {
      const redacted = redactClientValues(error, this.schema, { hideSuggestions: this.hideSuggestions });
      return { ...redacted.toJSON(), ...location, extensions: { code } };
    }
    if (safeCodes.has(code)) return { message: error.message, ...location, extensions: { code } };
    if (ownCodes.has(code)) {
      const { http: _http, ...extensions } = error.extensions;
      return { message: error.message, ...location, extensions };
    }
    return this.masked({ message: '', ...location }, cause, requestId);
  }

  private masked(formatted: GraphQLFormattedError, error: unknown, requestId: string | null): GraphQLFormattedError {
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
 * graphql-js finds some wrong arguments only when it runs the field: the error then points at the argument, not the field. It has
 * no code, and where a directive of the root was given the argument, no path either.
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
