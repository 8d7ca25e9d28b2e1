import { type ASTNode, GraphQLScalarType, Kind } from 'graphql';
import { maxInputLength, trim } from '../validation/normalise';
import { ScalarInputError } from './scalar-input-error';

interface TextScalar {
  readonly name: string;
  readonly description: string;
  /** Error message for a value that is not a string. */
  readonly expected: string;
  readonly specifiedByURL?: string;
  /** Whether the text may have any length. */
  readonly isLong?: boolean;
  readonly normalise?: (text: string) => string;
  /**
   * Returns why a text is not accepted, or null. It must not apply rules of identifiers: they affect the outcome of a field, not the
   * whole operation.
   */
  readonly explainInvalid?: (text: string) => string | null;
  /** Returns the text of a value that a resolver does not return as text. */
  readonly print?: (value: unknown) => string | null;
}

/** Returns a scalar whose value is text. Input is normalised, and output is not changed. */
export function textScalar(spec: TextScalar): GraphQLScalarType<string, string> {
  const { name, expected, isLong = false, normalise = trim, explainInvalid = () => null, print = () => null } = spec;
  const read = (value: unknown, node?: ASTNode): string => {
    if (typeof value !== 'string') throw new ScalarInputError(expected, node);
    const reason = explainInvalid(value);
    if (reason !== null) throw new ScalarInputError(reason, node);
    // No rule accepts such a long text. It is cut, because an answer may repeat it many times.
    if (value.length > maxInputLength && !isLong) return value.slice(0, maxInputLength + 1);
    return normalise(value);
  };
  return new GraphQLScalarType<string, string>({
    name,
    description: spec.description,
    specifiedByURL: spec.specifiedByURL ?? null,
    parseValue: (value) => read(value),
    parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined, node),
    serialize: (value) => {
      const text = typeof value === 'string' ? value : print(value);
      if (text === null) throw new TypeError(`${name} must be text, but a resolver returned something else.`);
      return text;
    },
  });
}
