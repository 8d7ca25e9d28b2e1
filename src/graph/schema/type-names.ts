import {
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
  specifiedDirectives,
  visit,
} from 'graphql';

const standardDirectives: ReadonlySet<string> = new Set(specifiedDirectives.map(({ name }) => name));

/**
 * Returns the SDL that clients query, for tools that do not know federation: the subgraph's SDL with only the directives that
 * the specification of GraphQL defines.
 */
export function toApiSdl(subgraphSdl: string): string {
  const api = visit(parse(subgraphSdl), {
    [Kind.SCHEMA_EXTENSION]: () => null,
    [Kind.DIRECTIVE]: ({ name }) => (standardDirectives.has(name.value) ? undefined : null),
  });
  return `${print(api)}\n`;
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
