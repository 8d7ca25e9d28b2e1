import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildGraph } from './build-schema';
import { printTypeNames, toApiSdl } from './type-names';

const folder = join(__dirname, '../../../schema');
const { schema, sdl } = buildGraph();
writeFileSync(join(folder, 'padron.graphql'), sdl);
writeFileSync(join(folder, 'api.graphql'), toApiSdl(sdl));
writeFileSync(join(folder, 'client/possible-types.ts'), printTypeNames(schema));
