import { type ASTNode, type DocumentNode, visit } from 'graphql';

/** Returns a document without the descriptions of its definitions, which change nothing about what it does. */
export const withoutDescriptions = (document: DocumentNode): DocumentNode =>
  visit(document, {
    enter: (node: ASTNode) =>
      'description' in node && node.description ? { ...node, description: undefined } : undefined,
  });
