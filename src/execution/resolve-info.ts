import type { GraphQLResolveInfo } from 'graphql';
import type { FieldPlan, Plan } from './plan';
import type { ResponsePath } from './response-path';
import type { VariableValues } from './variables';

/** What graphql-js tells a resolver of the place that it is called for. */
export function resolveInfo(
  { schema, fragments, operation }: Plan,
  { field, nodes, parent }: FieldPlan,
  path: ResponsePath,
  variableValues: VariableValues,
): GraphQLResolveInfo {
  return {
    fieldName: field.name,
    fieldNodes: nodes,
    returnType: field.type,
    parentType: parent,
    path,
    schema,
    fragments,
    rootValue: undefined,
    operation,
    variableValues,
  };
}
