import { type ASTNode, type DocumentNode, visit } from 'graphql';

/**
 * Returns a document without the descriptions of its definitions, which change nothing about what it does. `padron batch` and the explorer
 * derive the keys of batches from such documents, so that neither buys what the other has bought.
 */
export const withoutDescriptions = (document: DocumentNode): DocumentNode =>
  visit(document, {
    enter: (node: ASTNode) =>
      'description' in node && node.description ? { ...node, description: undefined } : undefined,
  });
