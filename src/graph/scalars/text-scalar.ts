import { type ASTNode, GraphQLScalarType, Kind } from 'graphql';
import { maxInputLength, trim } from '../validation/normalise';
import { ScalarInputError } from './scalar-input-error';

interface TextScalar {
  readonly name: string;
  readonly description: string;
  /** What to send instead, said to whoever sends another JSON kind. */
  readonly expected: string;
  readonly specifiedByURL?: string;
  /** Whether a text may be of any length. */
  readonly isLong?: boolean;
  readonly normalise?: (text: string) => string;
  /** Why a text cannot be taken at all; null when it can. Rules of identifiers do not belong here: they cost an outcome, not the operation. */
  readonly explainInvalid?: (text: string) => string | null;
  /** The text of a value that a resolver hands out in another form. */
  readonly print?: (value: unknown) => string | null;
}

/** A scalar that travels as text: input is only normalised, output goes out as it is. */
export function textScalar(spec: TextScalar): GraphQLScalarType<string, string> {
  const { name, expected, isLong = false, normalise = trim, explainInvalid = () => null, print = () => null } = spec;
  const read = (value: unknown, node?: ASTNode): string => {
    if (typeof value !== 'string') throw new ScalarInputError(expected, node);
    const reason = explainInvalid(value);
    if (reason !== null) throw new ScalarInputError(reason, node);
    // No rule accepts it, and the rest would be given back as often as an answer names it.
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
      if (text === null) throw new TypeError(`${name} is given out as text; a resolver returned something else.`);
      return text;
    },
  });
}
