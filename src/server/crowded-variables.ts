import type { ApolloServerPlugin } from '@apollo/server';
import {
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { RequestContext } from './context';

/**
 * Refuses input objects with more fields than their type has. graphql-js would too, but prints the whole object into each of
 * fifty errors: a request of 1 MB kept the process busy for seconds.
 */
export function refuseCrowdedVariables(): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      didResolveOperation: async ({ operation, schema, request }) => {
        const found = operation && findCrowded(operation, schema, request.variables ?? {});
        if (found) throw crowded(found.variable, found.type);
      },
    }),
  };
}

/** A variable that holds an object with too many fields, and the object's type. */
export function findCrowded(
  { variableDefinitions = [] }: OperationDefinitionNode,
  schema: GraphQLSchema,
  variables: Readonly<Record<string, unknown>>,
): { readonly variable: string; readonly type: string } | null {
  for (const { variable, type: node } of variableDefinitions) {
    const name = variable.name.value;
    const declared = typeFromAST(schema, node);
    const type = isInputType(declared) ? crowdedType(own(variables, name), declared) : null;
    if (type !== null) return { variable: name, type };
  }
  return null;
}

function crowdedType(value: unknown, declared: GraphQLInputType): string | null {
  if (typeof value !== 'object' || value === null || !isInputObjectType(getNamedType(declared))) return null;
  const type = getNullableType(declared);
  if (isListType(type))
    return firstOf(Array.isArray(value) ? value : [value], (entry) => crowdedType(entry, type.ofType));
  if (!isInputObjectType(type) || Array.isArray(value)) return null;
  const fields = Object.values(type.getFields());
  if (Object.keys(value).length > fields.length) return type.name;
  return firstOf(fields, (field) => crowdedType(own(value, field.name), field.type));
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

function crowded(variable: string, type: string): GraphQLError {
  return new GraphQLError(`Variable "$${variable}": an object holds more fields than ${type} has.`, {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  });
}

function own(holder: object | undefined, key: string): unknown {
  return holder !== undefined && Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
}
