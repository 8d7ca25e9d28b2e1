import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isObjectType } from 'graphql';
import { buildGraph } from '../../src/graph/schema/build-schema';
import { type RunningPadron, runPadron } from '../support/padrons/padron';
import { type Hr, startHr } from './hr';
import { compose, type SubgraphSource, servedSdl } from './supergraph';

const committed = readFileSync(join(__dirname, '../../schema/padron.graphql'), 'utf8');

let padron: RunningPadron;
let hr: Hr;
let neighbour: SubgraphSource;
beforeAll(async () => {
  [padron, hr] = await Promise.all([runPadron(), startHr()]);
  neighbour = { name: 'hr', url: hr.url, sdl: await servedSdl(hr.url) };
});
afterAll(() => Promise.all([padron.stop(), hr.stop()]));

describe('composition with another subgraph', () => {
  it.each([
    ['as padron serves its schema', () => servedSdl(padron.url)],
    ['as the schema is committed', async () => committed],
    ['with permissions (SCHEMA_SCOPES)', async () => buildGraph({ scopes: true }).sdl],
  ])('has no errors and no hints: %s', async (_source, sdl) => {
    const { supergraph, errors, hints } = compose([{ name: 'padron', url: padron.url, sdl: await sdl() }, neighbour]);
    expect({ errors, hints }).toEqual({ errors: [], hints: [] });
    expect(supergraph).toContain('@join__type(graph: PADRON, key: "nss")');
  });

  it('serves the elements of the committed schema', async () => {
    const served = compose([{ name: 'padron', url: 'http://padron', sdl: await servedSdl(padron.url) }]).supergraph;
    const printed = compose([{ name: 'padron', url: 'http://padron', sdl: committed }]).supergraph;
    expect(served).toBe(printed);
  });

  it('needs the same scalar names in every subgraph: an NSS that is a String does not compose', () => {
    const sdl = neighbour.sdl.replace('nss: NSS', 'nss: String');
    const { supergraph, errors } = compose([
      { name: 'padron', url: padron.url, sdl: committed },
      { ...neighbour, sdl },
    ]);
    expect(supergraph).toBeUndefined();
    expect(errors.join()).toMatch(/"Person\.nss" is incompatible across subgraphs/);
  });

  it("keeps prices in the supergraph, for a router's demand control", () => {
    const { supergraph = '' } = compose([{ name: 'padron', url: padron.url, sdl: committed }, neighbour]);
    const person = buildSchema(supergraph, { assumeValid: true }).getType('Person');
    if (!isObjectType(person)) throw new Error('The supergraph has no Person.');
    const weights = ['credit', 'professionalStatus'].map(
      (name) =>
        person.getFields()[name]?.astNode?.directives?.find((each) => each.name.value === 'cost')?.arguments?.[0],
    );
    expect(weights.map((weight) => weight?.value)).toMatchObject([{ value: '1' }, { value: '2' }]);
  });
});
