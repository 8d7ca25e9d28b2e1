import { type ASTNode, GraphQLError } from 'graphql';

/** Input that a scalar does not accept. Its message is ours and never holds what the client sent, so it may be shown. */
export class ScalarInputError extends GraphQLError {
  constructor(message: string, node?: ASTNode) {
    super(message, { nodes: node ?? null });
    this.name = 'ScalarInputError';
  }
}
