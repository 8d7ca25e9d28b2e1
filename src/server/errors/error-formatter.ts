import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema, Kind } from 'graphql';
import { UnknownEntityError } from '../../graph/schema/entities';
import { Unauthenticated } from '../../registry/answer';
import type { Log } from '../telemetry/logger';
import { withoutClientValues } from './redact-error';

/** Faults of the document or its variables: graphql-js tells them, we say them again without the client's values. */
const requestFaults: ReadonlySet<string> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
]);

/** Codes whose message is ours or Apollo's own, with nothing of the client in it. */
const passedOn: ReadonlySet<string> = new Set([
  'BAD_REQUEST',
  'UNAUTHENTICATED',
  'OPERATION_TOO_LARGE',
  // Clients that first send a hash alone wait for these words, to send the document with it.
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

/** What the libraries say without a code of their own, though the request is at fault. */
const codeless: Readonly<Record<string, string>> = {
  'Too many errors processing variables, error limit reached. Execution aborted.': 'BAD_USER_INPUT',
  'Unsupported persisted query version': 'BAD_REQUEST',
  'provided sha does not match query': 'BAD_REQUEST',
};

/** Every error that leaves the server is made or remade here: client faults without their values, our own bugs masked. */
export class ErrorReports {
  /** Errors are shown apart from the request that they belong to, which knows how to say them again. */
  private readonly remade = new WeakMap<Error, GraphQLFormattedError>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly log: Log,
    private readonly hideSuggestions: boolean,
    private readonly failed: (code: string) => void,
  ) {}

  /** Remakes the errors of a request that Apollo is about to format. */
  encounter(
    errors: readonly GraphQLError[],
    variables: Readonly<Record<string, unknown>> | undefined,
    requestId: string,
  ): void {
    for (const error of errors) this.remade.set(error, this.tell(error, variables, requestId));
  }

  /** Says an error of a request as its client may read it. */
  tell(
    error: GraphQLError,
    variables: Readonly<Record<string, unknown>> | undefined,
    requestId: string,
  ): GraphQLFormattedError {
    const remade = this.remake(error, { variables, hideSuggestions: this.hideSuggestions }, requestId);
    this.failed(codeOf(remade));
    return remade;
  }

  format = (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const known = error instanceof Error ? this.remade.get(error) : undefined;
    if (known !== undefined) return known;
    // Without a request yet: a header that cannot be read, a body that is no GraphQL request.
    const code = codeOf(formatted);
    this.failed(code);
    if (passedOn.has(code) || code === 'BAD_USER_INPUT') return formatted;
    return this.masked(formatted, error, null);
  };

  private remake(
    error: GraphQLError,
    about: { readonly variables: Readonly<Record<string, unknown>> | undefined; readonly hideSuggestions: boolean },
    requestId: string,
  ): GraphQLFormattedError {
    const cause = unwrapResolverError(error);
    const { locations, path } = error.toJSON();
    const place = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) };
    if (cause instanceof Unauthenticated) {
      return { message: cause.message, ...place, extensions: { code: 'UNAUTHENTICATED' } };
    }
    if (cause instanceof UnknownEntityError) {
      const message = 'A representation names a type that is no entity of this graph.';
      return { message, ...place, extensions: { code: 'BAD_USER_INPUT' } };
    }
    const code = isAboutArgument(error) ? 'BAD_USER_INPUT' : (codeless[error.message] ?? codeOf(error));
    if (requestFaults.has(code)) {
      return { ...withoutClientValues(error, this.schema, about).toJSON(), extensions: { code } };
    }
    if (passedOn.has(code)) return { message: error.message, ...place, extensions: { code } };
    return this.masked({ message: '', ...place }, cause, requestId);
  }

  private masked(formatted: GraphQLFormattedError, error: unknown, requestId: string | null): GraphQLFormattedError {
    this.log.fault(error, requestId);
    const hint = requestId === null ? '' : ` Tell its operator the request id ${requestId}.`;
    return {
      ...formatted,
      message: `padron failed on this field.${hint}`,
      extensions: { code: 'INTERNAL_SERVER_ERROR', ...(requestId === null ? {} : { requestId }) },
    };
  }
}

/** graphql-js finds some wrong arguments only when it runs the field: the error then points at the argument, not the field. */
function isAboutArgument({ path, nodes, originalError }: GraphQLError): boolean {
  const node = nodes?.[0];
  const isOwn = originalError === undefined || originalError instanceof GraphQLError;
  return path !== undefined && isOwn && node !== undefined && node.kind !== Kind.FIELD;
}

function codeOf(error: { readonly extensions?: Readonly<Record<string, unknown>> }): string {
  const code = error.extensions?.code;
  return typeof code === 'string' ? code : '';
}
