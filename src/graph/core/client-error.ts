import { type ASTNode, GraphQLError } from 'graphql';
import { UnauthenticatedError } from '../../registry/answer/answer';

export const clientError = (
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): GraphQLError => new GraphQLError(message, { extensions: { code, ...details } });

export const invalidInput = (message: string): GraphQLError => clientError('BAD_USER_INPUT', message);

/** Error for input that a scalar does not accept. Its message never contains the input, so it may be shown to the client. */
export class ScalarInputError extends GraphQLError {
  constructor(message: string, node?: ASTNode) {
    super(message, { nodes: node ?? null });
    this.name = 'ScalarInputError';
  }
}

/** A representation of an unknown entity. The router was composed with a different schema. */
export class UnknownEntityError extends Error {
  override readonly name = 'UnknownEntity';
}

/** Returns what a resolver has thrown, unless the caller's input or token caused it. */
export function findFault(errors: readonly GraphQLError[] = []): Error | undefined {
  const thrown = errors.flatMap(({ path, originalError }) => (path === undefined ? [] : (originalError ?? [])));
  return thrown.find(
    (error) =>
      !(error instanceof GraphQLError || error instanceof UnauthenticatedError || error instanceof UnknownEntityError),
  );
}
