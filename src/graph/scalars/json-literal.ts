import { Kind, type ValueNode } from 'graphql';
import { ScalarInputError } from './scalar-input-error';

type Variables = { readonly [name: string]: unknown } | null | undefined;

/**
 * Parses JSON written in a document. A bare name is invalid, because it is usually a string without quotes. The error refers to the
 * whole literal, because the schema does not describe what is inside.
 */
export function parseJsonLiteral(node: ValueNode, variables?: Variables, whole: ValueNode = node): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.LIST:
      return node.values.map((item) => parseJsonLiteral(item, variables, whole));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, parseJsonLiteral(value, variables, whole)]),
      );
    case Kind.VARIABLE:
      // A variable may have the name of something that every object has.
      return variables && Object.hasOwn(variables, node.name.value) ? variables[node.name.value] : undefined;
    case Kind.ENUM:
      throw new ScalarInputError('JSON has no bare names. Put the text in quotes.', whole);
  }
}
