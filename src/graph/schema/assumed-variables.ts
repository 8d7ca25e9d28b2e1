import {
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  print,
  typeFromAST,
} from 'graphql';
import { placeholder } from '../../registry/endpoint/endpoint';
import { UploadedFile } from '../core/scalars/upload';

type Variables = Readonly<Record<string, unknown>>;

/** The values that a variable of unknown value is assumed to have. One of them leads to the highest price. */
export interface AssumedVariable {
  readonly name: string;
  readonly values: readonly unknown[];
}

export function assumeVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): readonly AssumedVariable[] {
  return variableDefinitions.flatMap((definition, index) => {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (Object.hasOwn(variables, name) || !isInputType(type)) return [];
    return [{ name, values: valuesOf(type, `${name}:${index}`, index) }];
  });
}

function valuesOf(type: GraphQLInputType, label: string, index: number): readonly unknown[] {
  if (isNonNullType(type)) return valuesOfNullable(type.ofType, label, index);
  const values = valuesOfNullable(type, label, index);
  // Null is not tried for a Boolean: it behaves like true or false, or is not allowed.
  return String(type) === 'Boolean' ? values : [null, ...values];
}

/** Returns the values of a type besides null. Different variables have different values, so that no two questions are the same. */
function valuesOfNullable(type: GraphQLInputType, label: string, index: number): readonly unknown[] {
  if (isEnumType(type)) return type.getValues().map(({ name }) => name);
  return String(type) === 'Boolean' ? [true, false] : [sampleOf(type, label, index)];
}

/** Returns the variables of an operation that are keys of entities. Their price depends on the entity. */
export function findKeyVariables({ variableDefinitions = [] }: OperationDefinitionNode): readonly string[] {
  return variableDefinitions
    .filter(({ type }) => print(type).includes('_Any'))
    .map(({ variable }) => variable.name.value);
}

/** Returns a value that each rule of identifiers accepts in a dry run, and each scalar accepts as input. */
function sampleOf(type: GraphQLInputType, label: string, index: number): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType, label, index);
  if (isListType(type)) return [sampleOf(type.ofType, label, index)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields()).map((field) => [
        field.name,
        sampleOf(field.type, `${label}.${field.name}`, index),
      ]),
    );
  return sampleByScalar[type.name]?.(index) ?? placeholder(label.toUpperCase());
}

const monthsPerYear = 12;
/** The first year that the rule of months accepts. It is far from the months of documents. */
const firstYear = 2000;

const sampleByScalar: Readonly<Record<string, (index: number) => unknown>> = {
  Boolean: () => true,
  Int: (index) => index + 1,
  Float: (index) => index + 1,
  ID: (index) => `id-${index}`,
  Base64: () => 'AA==',
  // A dry run reads no file.
  Upload: () => Object.create(UploadedFile.prototype),
  JSON: () => ({}),
  YearMonth: (index) => {
    const year = firstYear + Math.floor(index / monthsPerYear);
    return `${year}-${String((index % monthsPerYear) + 1).padStart(2, '0')}`;
  },
};
