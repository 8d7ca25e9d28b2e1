import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';
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

export function compose(subgraphs: readonly SubgraphSource[]): Composed {
  const { supergraphSdl, errors, hints } = composeServices(
    subgraphs.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) })),
  );
  return {
    supergraph: supergraphSdl,
    errors: (errors ?? []).map(({ message }) => message),
    hints: (hints ?? []).map(({ definition, message }) => `${definition.code}: ${message}`),
  };
}

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
export async function supergraphOf(urls: Readonly<Record<string, string>>): Promise<string> {
  const sources = Object.entries(urls).map(async ([name, url]) => ({ name, url, sdl: await servedSdl(url) }));
  const { supergraph, errors } = compose(await Promise.all(sources));
  if (supergraph === undefined) throw new Error(`The subgraphs do not compose: ${errors.join('; ')}`);
  return supergraph;
}
