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
import { StoreBusyError, StoreUnavailableError } from '../../store/store';
import type { Logger } from '../telemetry/logger';
import { redactClientValues } from './redact-error';
import { findVariableErrors, VariableError } from './variable-error';

/** Codes of errors in the document or its variables. The messages of graphql-js may quote values, so padron replaces them. */
const clientErrorCodes: ReadonlySet<string> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
]);

/** Codes whose messages contain nothing of the request. padron or Apollo Server wrote them. */
const safeCodes: ReadonlySet<string> = new Set([
  'BAD_REQUEST',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'LEDGER_OFF',
  'LEDGER_UNAVAILABLE',
  'BATCHES_OFF',
  'OVERLOADED',
  'OPERATION_NOT_TRUSTED',
  // Clients that send only a hash wait for these messages, and then send the document too.
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

/** Codes whose extensions are returned too. padron creates these errors. */
const codesWithExtensions: ReadonlySet<string> = new Set(['OPERATION_TOO_LARGE', 'ERRORS_OMITTED']);

/** Codes of errors in a request that the libraries report without a code. */
const codeByMessage: Readonly<Record<string, string>> = {
  'Unsupported persisted query version': 'BAD_REQUEST',
  'provided sha does not match query': 'BAD_REQUEST',
};

/** Formats every GraphQL error that the server returns. Messages never contain the client's values or details of internal errors. */
export class ErrorFormatter {
  /** Results of `formatAll`, by error. Apollo later asks for them one by one, without their request. */
  private readonly formatted = new WeakMap<Error, GraphQLFormattedError>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly log: Logger,
    private readonly hideSuggestions: boolean,
    private readonly countError: (code: string) => void,
    /** Returns the URL of the documentation of a code, or null if there is none. */
    private readonly urlOf: (code: string) => string | null = () => null,
  ) {}

  /** Formats the errors of a request before Apollo asks for each of them. */
  formatAll(errors: readonly GraphQLError[], requestId: string): void {
    for (const error of errors) this.formatted.set(error, this.formatExecutionError(error, requestId));
  }

  /** Returns an error for each variable that does not fit its type. */
  findVariableErrors(
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
    requestId: string,
  ): readonly GraphQLFormattedError[] {
    const found = findVariableErrors(this.schema, operation, variables, { hideSuggestions: this.hideSuggestions });
    return found.map((error) => this.formatExecutionError(error, requestId));
  }

  /** Formats an error of a known request, and counts it. */
  formatExecutionError(error: GraphQLError, requestId: string): GraphQLFormattedError {
    const formatted = this.toFormatted(error, requestId);
    this.countError(getCode(formatted));
    return this.withUrl(formatted);
  }

  /** Returns the formatted error. Apollo Server calls this for each error of a response. */
  format = (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const existing = error instanceof Error ? this.formatted.get(error) : undefined;
    if (existing !== undefined) return existing;
    // Other errors occurred before the operation: a malformed header, or a body that is not a GraphQL request.
    const code = getCode(formatted);
    this.countError(code);
    if (safeCodes.has(code) || code === 'BAD_USER_INPUT') return this.withUrl(formatted);
    return this.withUrl(this.mask(formatted, error, null));
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
    if (clientErrorCodes.has(code)) {
      const redacted = redactClientValues(error);
      return { ...redacted.toJSON(), ...location, extensions: { code } };
    }
    if (safeCodes.has(code)) return { message: error.message, ...location, extensions: { code } };
    if (codesWithExtensions.has(code)) {
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
