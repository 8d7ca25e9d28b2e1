import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { explainRejection } from './document-shape';
import { detachSource, locate } from './document-source';
import { isOverlapError, limitOverlaps, overlapMessage } from './overlap-rule';

/** The argument `operation` of an estimate or a batch is rejected. The message says why, and does not quote the document. */
export class OperationRejectedError extends Error {
  override readonly name = 'OperationRejectedError';
}

/** Parses the argument `operation` of an estimate or a batch. Throws an `OperationRejectedError`. */
export function parseSubmitted(text: string, maxTokens: number): DocumentNode {
  const reason = explainRejection(text, maxTokens);
  if (reason !== null) throw new OperationRejectedError(`\`operation\` is rejected. ${reason}`);
  try {
    const document = parse(text, { maxTokens });
    detachSource(document);
    return document;
  } catch (error) {
    if (error instanceof GraphQLError && error.message.includes(` ${maxTokens} tokens`))
      throw new OperationRejectedError(
        `\`operation\` has more than ${maxTokens} tokens, which is what this request may still use. Shorten it.`,
      );
    throw new OperationRejectedError(`\`operation\` is not a GraphQL document${formatLocation(error)}.`);
  }
}

/** Finds the operation with this name, or the only one. Throws an `OperationRejectedError` if a request could not run it. */
export function findSubmitted(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
): OperationDefinitionNode {
  const [error] = validate(schema, document, [...specifiedRules, limitOverlaps], { maxErrors: 1 });
  if (error !== undefined)
    throw new OperationRejectedError(
      isOverlapError(error)
        ? `\`operation\` is rejected. ${overlapMessage}`
        : `\`operation\` does not match the schema${formatLocation(error)}. Run it to see why.`,
    );
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new OperationRejectedError('`operationName` must name one of the operations of the document.');
  return operation;
}

/** Returns the location of an error without its message, which may quote the document. */
function formatLocation(error: unknown): string {
  const location = error instanceof GraphQLError ? locate(error)?.[0] : undefined;
  return location === undefined ? '' : ` (line ${location.line}, column ${location.column})`;
}
