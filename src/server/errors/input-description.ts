import { GraphQLError, type GraphQLInputType, GraphQLInt, getNamedType, isEnumType, isInputObjectType } from 'graphql';
import { ScalarInputError } from '../../graph/scalars/scalar-input-error';

/** Properties of a request that decide the wording of its messages. */
export interface ClientRequest {
  /** Whether messages leave out the fields and values of the schema: introspection is off. */
  readonly hideSuggestions: boolean;
}

/** Describes what is wrong with an input: its path, the expected type, and the kind of the actual value. */
export function describeInvalidInput(
  place: string,
  expected: GraphQLInputType,
  got: string,
  cause: GraphQLError | null,
  request: ClientRequest,
): string {
  return `${place}: expected ${expected}, got ${got}.${hint(expected, cause, request)}`;
}

/** An unknown key is not named: in variables it may itself be a secret that slipped out of its place. */
export function describeUnknownField(place: string, type: GraphQLInputType, request: ClientRequest): string {
  const named = getNamedType(type);
  const fields = isInputObjectType(named) && !request.hideSuggestions ? Object.keys(named.getFields()).join(', ') : '';
  return `${place}: unknown field${fields === '' ? '.' : `; the fields of ${named.name} are ${fields}.`}`;
}

/** The kind of a JSON value, never the value. */
export function describeKind(value: unknown, expected: GraphQLInputType): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' && getNamedType(expected) === GraphQLInt) return 'a number that is not a 32-bit integer';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Every error behind an error, itself first. */
function* errorChain(error: GraphQLError | null): Generator<GraphQLError> {
  for (let current: unknown = error; current instanceof GraphQLError; current = current.originalError) yield current;
}

function hint(expected: GraphQLInputType, cause: GraphQLError | null, request: ClientRequest): string {
  const named = getNamedType(expected);
  if (isEnumType(named) && !request.hideSuggestions) {
    return ` The values of ${named.name} are ${named
      .getValues()
      .map(({ name }) => name)
      .join(', ')}.`;
  }
  const scalarError = [...errorChain(cause)].find((error) => error instanceof ScalarInputError);
  return scalarError ? ` ${scalarError.message}` : '';
}
