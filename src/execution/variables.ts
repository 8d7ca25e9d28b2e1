import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromAST,
} from 'graphql';

/** Values by name, as they were given or as they were read. */
export type Values = Readonly<Record<string, unknown>>;

/** One variable of an operation. */
export interface VariablePlan {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly nonNull: boolean;
  /** What it is when nothing is given; undefined where it is left out then. */
  readonly otherwise: unknown;
}

export function planVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): readonly VariablePlan[] {
  return variableDefinitions.flatMap(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node);
    // A document with another type of variable is not valid.
    if (!isInputType(type)) return [];
    const otherwise = defaultValue === undefined ? undefined : valueFromAST(defaultValue, type);
    return [{ name: variable.name.value, type, nonNull: isNonNullType(type), otherwise }];
  });
}

/** Reads variables as graphql-js does; null where it finds fault with one, which it can tell better itself. */
export function readVariables(plans: readonly VariablePlan[], given: Values): Values | null {
  const values: Record<string, unknown> = {};
  for (const { name, type, nonNull, otherwise } of plans) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) {
      if (otherwise !== undefined) values[name] = otherwise;
      else if (nonNull) return null;
    } else {
      try {
        values[name] = coerceInputValue(value, type, refuse);
      } catch {
        return null;
      }
    }
  }
  return values;
}

function refuse(): never {
  throw refusal;
}

/** Always the same: nobody reads it, and making one takes its time. */
const refusal = new Error('The value does not fit its type.');
