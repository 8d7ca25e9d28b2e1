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
export type VariableValues = Readonly<Record<string, unknown>>;

/** One variable of an operation. */
export interface VariablePlan {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly nonNull: boolean;
  /** What it is when nothing is given; undefined where it is left out then. */
  readonly defaultValue: unknown;
}

export function planVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): readonly VariablePlan[] {
  return variableDefinitions.flatMap(({ variable, type: typeNode, defaultValue: valueNode }) => {
    const type = typeFromAST(schema, typeNode);
    // A document with another type of variable is not valid.
    if (!isInputType(type)) return [];
    const defaultValue = valueNode === undefined ? undefined : valueFromAST(valueNode, type);
    return [{ name: variable.name.value, type, nonNull: isNonNullType(type), defaultValue }];
  });
}

/** Coerces variables as graphql-js does; null where one is invalid, which graphql-js itself explains better. */
export function coerceVariables(plans: readonly VariablePlan[], inputs: VariableValues): VariableValues | null {
  // Without a prototype: a variable may have the name of something that every object has.
  const values: Record<string, unknown> = Object.create(null);
  for (const { name, type, nonNull, defaultValue } of plans) {
    const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (value === undefined) {
      if (defaultValue !== undefined) values[name] = defaultValue;
      else if (nonNull) return null;
    } else {
      try {
        values[name] = coerceInputValue(value, type, throwInvalid);
      } catch {
        return null;
      }
    }
  }
  return values;
}

function throwInvalid(): never {
  throw invalidValue;
}

/** Always the same: nobody reads it, and making one takes its time. */
const invalidValue = new Error('The value does not fit its type.');

/** Whether a value of JSON has a NUL in a text or in the name of a member. PostgreSQL stores none, and no identifier or name has one. */
export function holdsNul(value: unknown): boolean {
  // A list and not recursion: a value may be nested deeper than the stack holds.
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string') {
      if (next.includes('\0')) return true;
    } else if (Array.isArray(next)) {
      for (const item of next) rest.push(item);
    } else if (typeof next === 'object' && next !== null) {
      for (const [name, member] of Object.entries(next)) rest.push(name, member);
    }
  }
  return false;
}

/** Returns the name of the first variable of an operation whose value has a NUL; null if there is none. */
export function findNulVariable(
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: VariableValues,
): string | null {
  const names = variableDefinitions.map(({ variable }) => variable.name.value);
  return names.find((name) => Object.hasOwn(values, name) && holdsNul(values[name])) ?? null;
}
