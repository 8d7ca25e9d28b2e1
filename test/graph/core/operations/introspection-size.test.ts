import { executeSync, getIntrospectionQuery, getOperationAST, type OperationDefinitionNode, parse } from 'graphql';
import { OperationLimiter } from '../../../../src/graph/core/operations/operation-limits';
import { buildGraph } from '../../../support/padrons/whole-padron';

const everything = getIntrospectionQuery({ inputValueDeprecation: true, directiveIsRepeatable: true });
const names = Array.from({ length: 100 }, (_, index) => `a${index}: name`).join(' ');
const aliases = Array.from({ length: 9 }, (_, index) => `a${index}: __type(name: "Query") { ...T ...T }`).join(' ');

describe('introspection', () => {
  const graph = buildGraph();
  const limits = { depth: 15, aliases: 5_000, entities: 10_000, nodes: 100_000, bytes: 10_000_000 };
  const limiter = new OperationLimiter(graph, limits);

  it.each([
    ['all of it', everything],
    [
      'by aliases and fragments',
      `{ ${aliases} } fragment T on __Type { kind fields(includeDeprecated: true) { ...F } } fragment F on __Field { name args { defaultValue type { ofType { name } } } }`,
    ],
    ['of types that do not exist', '{ __type(name: "Nobody") { fields { name } } __typename }'],
    ['of the largest enum', '{ __type(name: "ProblemCode") { enumValues { name description } } }'],
    [
      'of the root types',
      '{ __schema { queryType { fields { name args { name } } } mutationType { fields { name } } } }',
    ],
    ['of wrapped types', '{ __schema { types { fields { type { ofType { ofType { ofType { name } } } } } } } }'],
    ['of enums behind fields', '{ __schema { types { fields { type { ofType { enumValues { name } } } } } } }'],
    ['of names of fields', `{ __schema { types { fields { ${names} } } } }`],
  ])('is never estimated as smaller than it is: %s', (_what, query) => {
    const document = parse(query);
    const operation = getOperationAST(document);
    const { data } = executeSync({ schema: graph.schema, document });
    let values = 0;
    const text = JSON.stringify(data, (_key, value: unknown) => {
      values += 1;
      return value;
    });
    const { nodes, bytes } = limiter.measure(document, operation as OperationDefinitionNode, {});
    for (const [measured, real] of [
      [nodes, values - 1],
      [bytes, text.length - 2],
    ] as const) {
      expect(measured).toBeGreaterThanOrEqual(real);
    }
  });

  it('of the whole schema takes less than half of the limit', () => {
    const document = parse(everything);
    const { nodes } = limiter.measure(document, getOperationAST(document) as OperationDefinitionNode, {});
    expect(nodes).toBeLessThan(limits.nodes / 2);
  });
});
