import { GraphQLError, type GraphQLInputType, GraphQLInt, getNamedType, isEnumType, isInputObjectType } from 'graphql';
import { ScalarInputError } from '../../graph/core/client-error';

export interface MessageOptions {
  /** Whether messages must not name fields and values of the schema. True if introspection is off. */
  readonly hideSuggestions: boolean;
}

/** Describes what is wrong with an input: its path, the expected type, and the kind of the actual value. */
export function describeInvalidInput(
  place: string,
  expected: GraphQLInputType,
  got: string,
  cause: GraphQLError | null,
  options: MessageOptions,
): string {
  return `${place}: expected ${expected}, got ${got}.${hint(expected, cause, options)}`;
}

/** Describes an unknown field of an object, without its name: in variables the name may be a misplaced secret. */
export function describeUnknownField(place: string, type: GraphQLInputType, options: MessageOptions): string {
  const named = getNamedType(type);
  const fields = isInputObjectType(named) && !options.hideSuggestions ? Object.keys(named.getFields()).join(', ') : '';
  return `${place}: unknown field${fields === '' ? '.' : `; the fields of ${named.name} are ${fields}.`}`;
}

export function describeKind(value: unknown, expected: GraphQLInputType): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' && getNamedType(expected) === GraphQLInt)
    return 'a number that is not a 32-bit integer';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function* errorChain(error: GraphQLError | null): Generator<GraphQLError> {
  for (let current: unknown = error; current instanceof GraphQLError; current = current.originalError) yield current;
}

function hint(expected: GraphQLInputType, cause: GraphQLError | null, options: MessageOptions): string {
  const named = getNamedType(expected);
  if (isEnumType(named) && !options.hideSuggestions) {
    return ` The values of ${named.name} are ${named
      .getValues()
      .map(({ name }) => name)
      .join(', ')}.`;
  }
  return scalarHint(cause);
}

/** Returns what a scalar says about its input, with a space before it. Returns '' if no scalar rejected the input. */
export function scalarHint(cause: GraphQLError | null): string {
  const scalarError = [...errorChain(cause)].find((error) => error instanceof ScalarInputError);
  return scalarError ? ` ${scalarError.message}` : '';
}
