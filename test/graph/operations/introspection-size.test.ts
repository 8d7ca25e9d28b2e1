import { executeSync, getIntrospectionQuery, getOperationAST, type OperationDefinitionNode, parse } from 'graphql';
import { OperationLimiter } from '../../../src/graph/operations/operation-limits';
import { buildGraph } from '../../../src/graph/schema/build-schema';

const everything = getIntrospectionQuery({ inputValueDeprecation: true, directiveIsRepeatable: true });
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
      expect(measured).toBeLessThan(real * 1.3 + 50);
    }
  });
});
