import { composeServices } from '@apollo/composition';
import {
  composeSchemaContract,
  composeServices as composeServicesOfHive,
  transformSupergraphToPublicSchema,
} from '@theguild/federation-composition';
import { type DocumentNode, parse } from 'graphql';
import { post } from '../support/padrons/padron';

/** The SUBGRAPH_SECRET that the router sends and padron checks. */
export const routerSecret = 'known to the router only';

export interface SubgraphSource {
  readonly name: string;
  readonly url: string;
  readonly sdl: string;
}

/** The result of a composition: a supergraph or errors, and hints. */
export interface Composed {
  readonly supergraph: string | undefined;
  readonly errors: readonly string[];
  readonly hints: readonly string[];
}

const parsed = (subgraphs: readonly SubgraphSource[]) =>
  subgraphs.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) }));

export function compose(subgraphs: readonly SubgraphSource[]): Composed {
  const { supergraphSdl, errors, hints } = composeServices(parsed(subgraphs));
  return {
    supergraph: supergraphSdl,
    errors: (errors ?? []).map(({ message }) => message),
    hints: (hints ?? []).map(({ definition, message }) => `${definition.code}: ${message}`),
  };
}

/** Composes as Hive's registry and gateways do. */
export function composeAsHive(subgraphs: readonly SubgraphSource[]): Composed {
  const { supergraphSdl, errors = [] } = composeServicesOfHive(parsed(subgraphs));
  return { supergraph: supergraphSdl, errors: errors.map(({ message }) => message), hints: [] };
}

/** Composes a contract that leaves these tags out. Throws if the subgraphs do not compose. */
function composeContract(excluded: readonly string[], subgraphs: readonly SubgraphSource[]): string {
  const { supergraphSdl, errors = [] } = composeSchemaContract(parsed(subgraphs), {
    include: new Set(),
    exclude: new Set(excluded),
  });
  if (supergraphSdl === undefined) throw new Error(`The contract does not compose: ${errors.join('; ')}`);
  return supergraphSdl;
}

/** Returns the schema that clients see of a contract that leaves these tags out. */
export function contractWithout(excluded: readonly string[], subgraphs: readonly SubgraphSource[]): DocumentNode {
  return transformSupergraphToPublicSchema(parse(composeContract(excluded, subgraphs)));
}

/** Returns the supergraph of a contract of running subgraphs. */
export async function contractSupergraph(excluded: readonly string[], urls: SubgraphUrls): Promise<string> {
  return composeContract(excluded, await sourcesOf(urls));
}

type SubgraphUrls = Readonly<Record<string, string>>;

const sourcesOf = (urls: SubgraphUrls): Promise<readonly SubgraphSource[]> =>
  Promise.all(Object.entries(urls).map(async ([name, url]) => ({ name, url, sdl: await servedSdl(url) })));

/** Returns the schema that a running subgraph serves. */
export async function servedSdl(url: string): Promise<string> {
  const { data } = await post(
    url,
    { query: '{ _service { sdl } }' },
    { authorization: '', 'x-subgraph-secret': routerSecret },
  );
  return data._service.sdl;
}

/** Composes running subgraphs. Throws if they do not compose. */
export async function supergraphOf(urls: SubgraphUrls): Promise<string> {
  const { supergraph, errors } = compose(await sourcesOf(urls));
  if (supergraph === undefined) throw new Error(`The subgraphs do not compose: ${errors.join('; ')}`);
  return supergraph;
}
