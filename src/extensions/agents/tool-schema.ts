import type { JSONObject, JSONValue } from '@modelcontextprotocol/server';
import {
  type FieldNode,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isRequiredInputField,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromASTUntyped,
} from 'graphql';
import type { CheckedDocument } from '../../graph/core/operations/read-documents';
import { SelectionReader } from '../../graph/core/operations/selections';

export type ObjectSchema = JSONObject & { type: 'object'; properties: Record<string, JSONObject> };

export function inputSchemaOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ObjectSchema {
  const properties = variableDefinitions.flatMap((definition) => {
    const { variable, defaultValue, description } = definition;
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) return [];
    const value = defaultValue === undefined ? {} : { default: valueFromASTUntyped(defaultValue) as JSONValue };
    return [[variable.name.value, { ...inputSchema(type), ...describe(description?.value), ...value }] as const];
  });
  const required = variableDefinitions.filter(
    ({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined,
  );
  return closedObject(
    properties,
    required.map(({ variable }) => variable.name.value),
  );
}

/** Adds the argument for `x-max-age` if the operator allows it and the query has no variable of its name. */
export function withMaxAge(variables: ObjectSchema, reuseDays: number): ObjectSchema {
  if (reuseDays === 0 || variables.properties.maxAge !== undefined) return variables;
  const description = `How old an answer may be that this account has paid for: a whole number and s, m, h or d, at most \`${reuseDays}d\`. Such an answer is free. \`0s\` asks again and pays.`;
  const maxAge = { type: 'string', pattern: '^[0-9]{1,9}[smhd]$', description };
  return { ...variables, properties: { ...variables.properties, maxAge } };
}

const closedObject = (
  properties: readonly (readonly [string, JSONObject])[],
  required: readonly string[],
): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(properties),
  required: [...required],
  additionalProperties: false,
});

function inputSchema(type: GraphQLInputType): JSONObject {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return { type: 'array', items: inputSchema(nullable.ofType) };
  if (isInputObjectType(nullable)) {
    const fields = Object.values(nullable.getFields());
    return closedObject(
      fields.map((field) => [field.name, { ...inputSchema(field.type), ...describe(field.description) }]),
      fields.filter(isRequiredInputField).map(({ name }) => name),
    );
  }
  return {
    ...(nullable.name === 'JSON' ? {} : { type: typeOf(nullable) }),
    // The scalars of GraphQL need no explanation.
    ...(typeByScalar[nullable.name] === undefined ? describe(nullable.description) : {}),
    ...(isEnumType(nullable) ? { enum: nullable.getValues().map(({ name }) => name) } : {}),
  };
}

const typeByScalar: Readonly<Record<string, string>> = {
  String: 'string',
  ID: 'string',
  Int: 'integer',
  Float: 'number',
  Boolean: 'boolean',
};

const typeOf = ({ name }: GraphQLLeafType): string => typeByScalar[name] ?? 'string';

const describe = (description: string | null | undefined): JSONObject => (description ? { description } : {});

/** Returns the JSON Schema of `data`. Any part of it may be null, because a field that failed is null. */
export function outputSchemaOf(schema: GraphQLSchema, { document, operation }: CheckedDocument): ObjectSchema {
  const reader = new SelectionReader(schema, document);
  const properties = (nodes: readonly Pick<FieldNode, 'selectionSet'>[], type: GraphQLOutputType | null) => {
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const fields = reader.read(sets, type === null ? null : getNamedType(type));
    return Object.fromEntries([...fields].map(([name, field]) => [name, valueSchema(field.type, field.nodes)]));
  };
  const valueSchema = (type: GraphQLOutputType | null, nodes: readonly FieldNode[]): JSONObject => {
    // `__typename` is the only field that no type declares.
    if (type === null) return { type: 'string' };
    const nullable = getNullableType(type);
    if (isListType(nullable)) return { type: ['array', 'null'], items: valueSchema(nullable.ofType, nodes) };
    if (!isLeafType(nullable)) return { type: ['object', 'null'], properties: properties(nodes, nullable) };
    return nullable.name === 'JSON' ? {} : { type: [typeOf(nullable), 'null'] };
  };
  return { type: 'object', properties: properties([operation], schema.getRootType(operation.operation) ?? null) };
}
