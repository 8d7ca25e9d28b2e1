import { type ASTNode, GraphQLError } from 'graphql';

/** Error for input that a scalar does not accept. Its message never contains the input, so it may be shown to the client. */
export class ScalarInputError extends GraphQLError {
  constructor(message: string, node?: ASTNode) {
    super(message, { nodes: node ?? null });
    this.name = 'ScalarInputError';
  }
}
