import { GraphQLError } from 'graphql';

/** Number of errors that an answer lists. */
const maxListedErrors = 100;

/** Says at the end of a list of errors how many more there were. */
function omittedErrors(count: number): GraphQLError {
  const message = count === 1 ? 'And 1 more error.' : `And ${count} more errors.`;
  return new GraphQLError(message, { extensions: { code: 'ERRORS_OMITTED', count } });
}

/** Cuts a list of errors of graphql-js in place: Apollo formats the list that it has shown. */
export function omitErrors(errors: readonly GraphQLError[]): void {
  const count = errors.length - maxListedErrors;
  if (count > 0) (errors as GraphQLError[]).splice(maxListedErrors, count, omittedErrors(count));
}
