import {
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { placeholder } from '../../registry/endpoint/endpoint';
import { UploadedFile } from '../scalars/upload';

type Variables = Readonly<Record<string, unknown>>;

/** Number of entries that a list is assumed to have, to find out whether its length affects the price. */
const listLength = 4;

/** The values that a variable of unknown value is assumed to have. One of them leads to the highest price. */
export interface AssumedVariable {
  readonly name: string;
  readonly values: readonly unknown[];
  readonly isList: boolean;
}

/** Returns the assumed values of each variable of an operation that is not in `known`. */
export function assumeVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  known: Variables,
): readonly AssumedVariable[] {
  return variableDefinitions.flatMap((definition, index) => {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (Object.hasOwn(known, name) || !isInputType(type)) return [];
    const isList = isListType(isNonNullType(type) ? type.ofType : type);
    return [{ name, isList, values: valuesOf(type, definition, index) }];
  });
}

function valuesOf(type: GraphQLInputType, definition: VariableDefinitionNode, index: number): readonly unknown[] {
  if (isNonNullType(type)) return knownTypeValues(type.ofType, `${definition.variable.name.value}:${index}`, index);
  const values = knownTypeValues(type, `${definition.variable.name.value}:${index}`, index);
  // A condition must not be null, and any other Boolean is true or false in effect.
  return String(type) === 'Boolean' ? values : [null, ...values];
}

/** Returns values of a nullable type. Different variables have different values, so that no two questions are the same. */
function knownTypeValues(type: GraphQLInputType, label: string, index: number): readonly unknown[] {
  if (isListType(type))
    return [
      [],
      Array.from({ length: listLength }, (_, entry) =>
        sampleOf(type.ofType, `${label}:${entry}`, index * listLength + entry),
      ),
    ];
  if (isEnumType(type)) return type.getValues().map(({ name }) => name);
  return String(type) === 'Boolean' ? [true, false] : [sampleOf(type, label, index)];
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
  _Any: (index) =>
    index % 2 === 0
      ? { __typename: 'Person', nss: placeholder(`NSS:${index}`), curp: placeholder(`CURP:${index}`) }
      : { __typename: 'Employer', registration: placeholder(`REGISTRATION:${index}`) },
};
