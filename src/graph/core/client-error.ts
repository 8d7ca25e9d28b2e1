import { type ASTNode, GraphQLError } from 'graphql';

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
