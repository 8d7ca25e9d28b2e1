import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { buildSchema, type GraphQLSchema, graphql, isObjectType, isSpecifiedScalarType, printType } from 'graphql';
import { buildGraph } from '../../../src/graph/schema/build-schema';
import { toApiSdl } from '../../../src/graph/schema/type-names';

const { schema, sdl } = buildGraph();
const committed = readFileSync(join(__dirname, '../../../schema/api.graphql'), 'utf8');

/** Elements that federation adds to the graph. A client does not query them. */
const federationName = /^(_|link__|federation__)/;

/** Prints each type of a schema, without the fields of federation. */
function printedTypes(printed: GraphQLSchema): Readonly<Record<string, string>> {
  const types = Object.values(printed.getTypeMap()).filter(
    (type) => !federationName.test(type.name) && !isSpecifiedScalarType(type),
  );
  for (const type of types.filter(isObjectType))
    for (const name of Object.keys(type.getFields())) if (federationName.test(name)) delete type.getFields()[name];
  return Object.fromEntries(types.map((type) => [type.name, printType(type)]));
}

describe('the API schema', () => {
  it('is committed as the code prints it (npm run print:schema)', () => {
    expect(committed).toBe(toApiSdl(sdl));
  });

  it('is accepted by buildSchema, and has the types, fields, arguments and descriptions of the graph', () => {
    const graphTypes = printedTypes(schema);
    expect(Object.keys(graphTypes).length).toBeGreaterThan(80);
    expect(printedTypes(buildSchema(committed))).toEqual(graphTypes);
  });

  it('contains only directives that the specification of GraphQL defines', () => {
    const withoutDescriptions = committed.replace(/"""[\s\S]*?"""|"[^"\n]*"/g, '');
    const directives = new Set([...withoutDescriptions.matchAll(/@\w+/g)].map(([name]) => name));
    expect([...directives].filter((name) => !['@deprecated', '@specifiedBy', '@oneOf'].includes(name))).toEqual([]);
  });

  it('runs with resolvers of a test', async () => {
    const credit = { __typename: 'HousingCreditLookup', outcome: 'NOT_FOUND' };
    const mock = makeExecutableSchema({ typeDefs: committed, resolvers: { Query: { person: () => ({ credit }) } } });
    const source =
      '{ person(nss: "04159600263") { credit { ...Proof } } } fragment Proof on RegistryLookup { outcome }';
    const { data, errors } = await graphql({ schema: mock, source });
    expect([errors, JSON.stringify(data)]).toEqual([undefined, '{"person":{"credit":{"outcome":"NOT_FOUND"}}}']);
  });
});
