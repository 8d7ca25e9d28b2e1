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
    expect(supergraph).toMatch(/contributionWeeks: ContributionWeeksLookup .*@cost\(weight: 3\)/);
    expect(supergraph).toMatch(/year: Int\s+\): BranchLookup .*@cost\(weight: 2\)/);
  });
});
