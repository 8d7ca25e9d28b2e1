import type { ApolloServerPlugin } from '@apollo/server';
import {
  GraphQLError,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
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
        for (const { variable, type: node } of operation?.variableDefinitions ?? []) {
          const type = typeFromAST(schema, node);
          const name = variable.name.value;
          if (isInputType(type)) check(own(request.variables, name), type, name);
        }
      },
    }),
  };
}

function check(value: unknown, declared: GraphQLInputType, name: string): void {
  if (typeof value !== 'object' || value === null || !isInputObjectType(getNamedType(declared))) return;
  const type = getNullableType(declared);
  if (isListType(type)) {
    for (const entry of Array.isArray(value) ? value : [value]) check(entry, type.ofType, name);
    return;
  }
  if (!isInputObjectType(type) || Array.isArray(value)) return;
  const fields = type.getFields();
  if (Object.keys(value).length > Object.keys(fields).length) throw crowded(name, type.name);
  for (const field of Object.values(fields)) check(own(value, field.name), field.type, name);
}

function crowded(variable: string, type: string): GraphQLError {
  return new GraphQLError(`Variable "$${variable}": an object holds more fields than ${type} has.`, {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  });
}

function own(holder: object | undefined, key: string): unknown {
  return holder !== undefined && Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
}
