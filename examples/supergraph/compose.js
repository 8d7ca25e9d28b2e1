import { writeFileSync } from 'node:fs';
import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';
import { urlOf } from './ports.js';

async function sdlOf(url) {
  const response = await fetch(url, {
    method: 'POST',
    // padron gives its schema to the router only.
    headers: { 'content-type': 'application/json', 'x-subgraph-secret': process.env.SUBGRAPH_SECRET ?? '' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(`${url}: ${errors[0].message}`);
  return data._service.sdl;
}

/** Asks both running subgraphs for their schemas, and writes supergraph.graphql. */
export async function compose() {
  const subgraphs = ['padron', 'hr'].map(async (name) => {
    const url = urlOf(name);
    return { name, url, typeDefs: parse(await sdlOf(url)) };
  });
  const { supergraphSdl, errors } = composeServices(await Promise.all(subgraphs));
  if (errors) throw new Error(errors.map(({ message }) => message).join('\n'));
  writeFileSync('supergraph.graphql', supergraphSdl);
  process.stdout.write('Wrote supergraph.graphql.\n');
}
