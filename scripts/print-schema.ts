/** Writes the files of schema/ that are printed from the graph: npm run print:schema */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { graphParts } from '../src/extensions';
import { buildGraph } from '../src/graph/schema/build-schema';
import { printTypeNames, toApiSdl } from '../src/graph/schema/type-names';

const folder = join(__dirname, '../schema');
const graph = buildGraph(graphParts);
writeFileSync(join(folder, 'padron.graphql'), graph.sdl);
writeFileSync(join(folder, 'api.graphql'), toApiSdl(graph));
writeFileSync(join(folder, 'client/possible-types.ts'), printTypeNames(graph.schema));
