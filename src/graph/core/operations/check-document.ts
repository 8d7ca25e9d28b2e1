import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { explainRejection } from './document-shape';
import type { OperationLimiter } from './operation-limits';
import { limitOverlaps } from './overlap-rule';
import { DocumentFileError, type PublishedDocument } from './published-document';

export interface CheckedDocument extends PublishedDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

export interface DocumentRules {
  readonly schema: GraphQLSchema;
  readonly limiter: OperationLimiter;
  readonly maxTokens: number;
}

/** Parses a published document and checks it as a request would be checked. Throws a `DocumentFileError` if a request with it would be rejected. */
export function checkDocument(published: PublishedDocument, rules: DocumentRules): CheckedDocument {
  const { source, text } = published;
  const reject = (reason: string): DocumentFileError => new DocumentFileError(`${source}: ${reason}`);
  const reason = explainRejection(text, rules.maxTokens);
  if (reason !== null) throw reject(reason.english);
  const document = parseText(text, rules.maxTokens, reject);
  const [error] = validate(rules.schema, document, [...specifiedRules, limitOverlaps], { maxErrors: 1 });
  if (error !== undefined) throw reject(error.message);
  const [operation, ...others] = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined || others.length > 0)
    throw reject(
      `The document has ${others.length + Number(operation !== undefined)} operations. Publish one document per operation.`,
    );
  if (!rules.schema.getRootType(operation.operation))
    throw reject(`The operation is a ${operation.operation}. Use a query or a mutation.`);
  const excess = rules.limiter.findExcess(rules.limiter.measure(document, operation, {}));
  if (excess !== null) throw reject(excess.message);
  return { ...published, document, operation };
}

function parseText(text: string, maxTokens: number, reject: (reason: string) => DocumentFileError): DocumentNode {
  try {
    return parse(text, { maxTokens });
  } catch (error) {
    throw reject(error instanceof Error ? error.message : 'It is not a GraphQL document.');
  }
}
