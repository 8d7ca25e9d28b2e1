import { buildSchema, isObjectType, print } from 'graphql';
import { buildGraph } from '../../src/graph/schema/build-schema';
import { setupOf } from '../extensions/endpoints/definitions';
import { type Hr, startHr } from './hr';
import { compose, composeAsHive, servedSdl } from './supergraph';

describe('the schema with the endpoints of files', () => {
  const { graph } = setupOf();
  let hr: Hr;
  beforeAll(async () => {
    hr = await startHr();
  });
  afterAll(() => hr.stop());

  it.each([
    ["Apollo's", compose],
    ["Hive's", composeAsHive],
  ])('composes with another subgraph, with prices and permissions, by %s composition', async (_whose, composeWith) => {
    if (graph === undefined) throw new Error('The setup has a graph.');
    const { sdl } = buildGraph(graph.parts, { scopes: composeWith === compose });
    const { supergraph, errors } = composeWith([
      { name: 'padron', url: 'http://padron', sdl },
      { name: 'hr', url: hr.url, sdl: await servedSdl(hr.url) },
    ]);
    expect(errors).toEqual([]);
    const printed = buildSchema(supergraph ?? '', { assumeValid: true });
    const costOf = (typeName: string, field: string) => {
      const type = printed.getType(typeName);
      const directives = isObjectType(type) ? type.getFields()[field]?.astNode?.directives : undefined;
      return directives?.map((directive) => print(directive)).find((text) => text.startsWith('@cost'));
    };
    expect(costOf('Person', 'contributionWeeks')).toBe('@cost(weight: 3)');
    expect(costOf('Employer', 'branches')).toBe('@cost(weight: 2)');
    expect(costOf('Query', 'postalCode')).toBe('@cost(weight: 2)');
  });
});
