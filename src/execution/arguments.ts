import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  getArgumentValues,
  isNonNullType,
  Kind,
  type ValueNode,
  valueFromAST,
  visit,
} from 'graphql';
import type { VariableValues } from './variables';

/** Arguments of one field: the same each time, taken from variables one by one, or left to graphql-js. */
export type ArgumentsPlan =
  | { readonly kind: 'constant'; readonly values: VariableValues }
  | { readonly kind: 'variables'; readonly arguments: readonly ArgumentPlan[] }
  | { readonly kind: 'dynamic' };

interface ArgumentPlan {
  readonly name: string;
  /** Where its value comes from; null where `value` is it. */
  readonly variable: string | null;
  /** What it is without a variable; undefined where it is left out then. */
  readonly value: unknown;
  readonly nonNull: boolean;
}

/** Null where a value in the document itself cannot be taken. */
export function planArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentsPlan | null {
  const values = (node.arguments ?? []).map(({ value }) => value);
  if (!values.some(containsVariable)) {
    try {
      return { kind: 'constant', values: getArgumentValues(field, node) };
    } catch {
      return null;
    }
  }
  if (values.some((value) => value.kind !== Kind.VARIABLE && containsVariable(value))) return { kind: 'dynamic' };
  return { kind: 'variables', arguments: field.args.map((argument) => planArgument(argument, node)) };
}

function planArgument({ name, type, defaultValue }: GraphQLArgument, node: FieldNode): ArgumentPlan {
  const nonNull = isNonNullType(type);
  const provided = node.arguments?.find((argument) => argument.name.value === name)?.value;
  if (provided?.kind === Kind.VARIABLE) return { name, variable: provided.name.value, value: defaultValue, nonNull };
  return { name, variable: null, value: provided === undefined ? defaultValue : valueFromAST(provided, type), nonNull };
}

/** The arguments that a resolver gets, or graphql-js's own error where they cannot be had. */
export function coerceArguments(
  plan: ArgumentsPlan,
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: VariableValues,
): VariableValues {
  if (plan.kind === 'constant') return plan.values;
  if (plan.kind === 'dynamic') return getArgumentValues(field, node, variables);
  const values: Record<string, unknown> = {};
  for (const { name, variable, value, nonNull } of plan.arguments) {
    const resolved = variable !== null && Object.hasOwn(variables, variable) ? variables[variable] : value;
    if (nonNull && (resolved === null || resolved === undefined)) return getArgumentValues(field, node, variables);
    if (resolved !== undefined) values[name] = resolved;
  }
  return values;
}

function containsVariable(value: ValueNode): boolean {
  if (value.kind === Kind.VARIABLE) return true;
  if (value.kind !== Kind.LIST && value.kind !== Kind.OBJECT) return false;
  let found = false;
  visit(value, {
    Variable: () => {
      found = true;
    },
  });
  return found;
}
