import {
  type FieldDefinitionNode,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
  specifiedDirectives,
  visit,
} from 'graphql';
import type { Graph, GraphPart } from './build-schema';
import { directive } from './router-directives';

const keptDirectives: ReadonlySet<string> = new Set([
  ...specifiedDirectives.map(({ name }) => name),
  'semanticNonNull',
]);

/** Types whose nullable fields are null only together with an error. They are nullable so that a router can null them. */
const semanticTypes: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Person', 'Employer']);
/** Nullable fields of these types that are also null without an error, and why. */
const nullWithoutError: Readonly<Record<string, string>> = {
  'Query.registryUnitPrice': 'The operator set no price, or the caller has no token that the service knows.',
  'Query.registryOperation': 'The caller has no operation with this ID.',
  'Mutation.endRegistryOperation': 'The caller has no operation with this ID.',
  'Person.nss': 'The caller gave another identifier.',
  'Person.curp': 'The caller gave another identifier.',
};

/** Returns these fields, with those of extensions. */
export const fieldsWithoutError = (parts: readonly GraphPart[]): Readonly<Record<string, string>> =>
  Object.assign({}, nullWithoutError, ...parts.map((part) => part.nullWithoutError));

const semanticNonNull = `"""
A field that is null only together with a GraphQL error, for clients that treat such a field as an error. Every field here may be null if a
router cannot reach padron.
"""
directive @semanticNonNull(levels: [Int!]! = [0]) on FIELD_DEFINITION
`;

/**
 * Returns the SDL that clients query, for tools that do not know federation: the subgraph's SDL with only the directives that
 * the specification of GraphQL defines, and `@semanticNonNull`. No router reads it.
 */
export function toApiSdl({ sdl, parts }: Pick<Graph, 'sdl' | 'parts'>): string {
  const marked = new Set(parts.flatMap((part) => part.semanticNonNull ?? []));
  const unmarked = fieldsWithoutError(parts);
  const api = visit(parse(sdl), {
    [Kind.SCHEMA_EXTENSION]: () => null,
    [Kind.OBJECT_TYPE_DEFINITION]: (node) => ({
      ...node,
      fields: node.fields?.map((field) => markSemanticNonNull(node.name.value, field, marked, unmarked)),
    }),
    [Kind.DIRECTIVE]: ({ name }) => (keptDirectives.has(name.value) ? undefined : null),
  });
  return `${semanticNonNull}\n${print(api)}\n`;
}

/** Marks a nullable field that is null only together with an error. A paid field, which has a price, always returns a lookup. */
function markSemanticNonNull(
  typeName: string,
  field: FieldDefinitionNode,
  marked: ReadonlySet<string>,
  unmarked: Readonly<Record<string, string>>,
): FieldDefinitionNode {
  const coordinate = `${typeName}.${field.name.value}`;
  const isPaid = field.directives?.some(({ name }) => name.value === 'cost') ?? false;
  const isMarked = isPaid || semanticTypes.has(typeName) || marked.has(coordinate);
  if (field.type.kind === Kind.NON_NULL_TYPE || !isMarked || coordinate in unmarked) return field;
  return { ...field, directives: [...(field.directives ?? []), directive('semanticNonNull', {})] };
}

const roots = ['Query', 'Mutation'];

/** Returns the code of `schema/client/possible-types.ts`: the names of types that the caches of clients need. */
export function printTypeNames(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('_'));
  const possibleTypes = types
    .filter(isInterfaceType)
    .map((type) => `  ${type.name}: ${toArray(schema.getPossibleTypes(type), '  ')},\n`);
  const objectTypes = types.filter(isObjectType).filter(({ name }) => !roots.includes(name));
  return `// Written by npm run print:schema.

/**
 * The types that implement an interface. Both caches need them for fragments on the interface, such as \`fragment Proof on RegistryLookup\`.
 * Without them, Apollo Client drops such a fragment, and graphcache guesses.
 */
export const possibleTypes: { readonly RegistryLookup: string[] } = {
${possibleTypes.join('')}};

/** All types that have fields, except the roots. */
export const objectTypes: readonly string[] = ${toArray(objectTypes, '')};
`;
}

function toArray(types: readonly { readonly name: string }[], indent: string): string {
  const names = types.map(({ name }) => `${indent}  '${name}',\n`).sort();
  return `[\n${names.join('')}${indent}]`;
}
