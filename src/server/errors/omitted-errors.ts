import { GraphQLError } from 'graphql';

const maxListedErrors = 100;

function createOmittedError(count: number): GraphQLError {
  const message = count === 1 ? 'And 1 more error.' : `And ${count} more errors.`;
  return new GraphQLError(message, { extensions: { code: 'ERRORS_OMITTED', count } });
}

/** Shortens a list of errors in place, because Apollo Server formats the same list. */
export function omitErrors(errors: readonly GraphQLError[]): void {
  const count = errors.length - maxListedErrors;
  if (count > 0) (errors as GraphQLError[]).splice(maxListedErrors, count, createOmittedError(count));
}
