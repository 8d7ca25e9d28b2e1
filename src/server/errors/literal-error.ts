import { type ASTNode, type GraphQLError, type GraphQLInputType, type GraphQLSchema, isValueNode, Kind } from 'graphql';
import { describeInvalidInput, describeKind, describeUnknownField, type MessageOptions } from './input-description';
import { findPosition } from './literal-position';

const unknownPlaceMessage = 'A value in the document does not have the expected type.';

/** Describes an invalid literal by its place and expected type. Returns null if the error is not about a literal. */
export function describeLiteralError(
  error: GraphQLError,
  node: ASTNode,
  schema: GraphQLSchema,
  options: MessageOptions,
): string | null {
  if (node.kind === Kind.VARIABLE || !(isValueNode(node) || node.kind === Kind.OBJECT_FIELD)) return null;
  const position = findPosition(node, schema);
  if (!position) return unknownPlaceMessage;
  const { place, expected } = position;
  if (node.kind === Kind.OBJECT_FIELD) return describeUnknownField(place, expected, options);
  if (error.message.startsWith('Argument "'))
    return `${place}: expected ${expected}; a variable inside it does not fit.`;
  if (error.message.startsWith('OneOf Input Object "'))
    return `${place}: exactly one field of ${expected} must be given.`;
  const [, field, type] =
    /^Field "\w+\.(\w+)" of required type "([\w![\]]+)" was not provided\.$/.exec(error.message) ?? [];
  if (field !== undefined) return `${place}: expected the field "${field}" of type ${type}, got nothing.`;
  return describeInvalidInput(place, expected, literalKind(node, expected), error, options);
}

function literalKind(node: ASTNode, expected: GraphQLInputType): string {
  switch (node.kind) {
    case Kind.NULL:
      return 'null';
    case Kind.INT:
      return describeKind(0, expected);
    case Kind.FLOAT:
      return describeKind(0.5, expected);
    case Kind.STRING:
      return 'a string';
    case Kind.BOOLEAN:
      return 'a boolean';
    case Kind.ENUM:
      return 'a name without quotes';
    case Kind.LIST:
      return 'a list';
    default:
      return 'an object';
  }
}
