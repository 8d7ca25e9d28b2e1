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
import type { Text } from '../../../identifiers/text';
import {
  detachSource,
  explainRejection,
  isOverlapError,
  limitOverlaps,
  locate,
  tooManyOverlaps,
} from './document-guards';

/** Error for a rejected `operation` argument of an estimate or a batch. Its message gives the reason without quoting the document. */
export class OperationRejectedError extends Error {
  override readonly name = 'OperationRejectedError';

  constructor(readonly text: Text) {
    super(text.english);
  }
}

/** Parses the argument `operation` of an estimate or a batch. Throws an `OperationRejectedError`. */
export function parseSubmitted(text: string, maxTokens: number): DocumentNode {
  const reason = explainRejection(text, maxTokens);
  if (reason !== null) throw new OperationRejectedError(rejectedText(reason));
  try {
    const document = parse(text, { maxTokens });
    detachSource(document);
    return document;
  } catch (error) {
    if (error instanceof GraphQLError && error.message.includes(` ${maxTokens} tokens`))
      throw new OperationRejectedError(tooManyTokensText(maxTokens));
    throw new OperationRejectedError(notGraphqlText(findLocation(error)));
  }
}

/** Finds the operation with this name, or the only one. Throws an `OperationRejectedError` if a request could not run it. */
export function findSubmitted(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
  hideSuggestions = true,
): OperationDefinitionNode {
  const [error] = validate(schema, document, [...specifiedRules, limitOverlaps], { maxErrors: 1, hideSuggestions });
  if (error !== undefined)
    throw new OperationRejectedError(
      isOverlapError(error) ? rejectedText(tooManyOverlaps) : schemaMismatchText(findLocation(error), explain(error)),
    );
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new OperationRejectedError(noSuchOperation);
  return operation;
}

/** Returns the names of the schema that an error suggests. The rest of its message may quote the document: the location says where. */
const explain = ({ message }: GraphQLError): string => / Did you mean [^?]*\?$/.exec(message)?.[0] ?? '';

/** Returns the location of an error without its message. */
function findLocation(error: unknown): Text {
  const location = error instanceof GraphQLError ? locate(error)?.[0] : undefined;
  if (location === undefined) return { english: '', spanish: '' };
  const { line, column } = location;
  return { english: ` (line ${line}, column ${column})`, spanish: ` (línea ${line}, columna ${column})` };
}

const rejectedText = ({ english, spanish }: Text): Text => ({
  english: `\`operation\` is rejected. ${english}`,
  spanish: `\`operation\` no se acepta. ${spanish}`,
});
const tooManyTokensText = (maxTokens: number): Text => ({
  english: `\`operation\` has more than ${maxTokens} tokens, which is what this request may still use. Shorten it.`,
  spanish: `\`operation\` tiene más de ${maxTokens} tokens, que son los que esta solicitud aún puede usar. Acórtela.`,
});
const notGraphqlText = (location: Text): Text => ({
  english: `\`operation\` is not a GraphQL document${location.english}.`,
  spanish: `\`operation\` no es un documento GraphQL${location.spanish}.`,
});
const schemaMismatchText = (location: Text, reason: string): Text => ({
  english: `\`operation\` does not match the schema${location.english}.${reason || ' Run it to see why.'}`,
  spanish: `\`operation\` no corresponde al esquema${location.spanish}.${reason || ' Ejecútela para ver por qué.'}`,
});
const noSuchOperation: Text = {
  english: '`operationName` must name one of the operations of the document.',
  spanish: '`operationName` debe nombrar una de las operaciones del documento.',
};
