import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toApiSdl } from './api-sdl';
import { buildGraph } from './build-schema';

const folder = join(__dirname, '../../../schema');
const { sdl } = buildGraph();
writeFileSync(join(folder, 'padron.graphql'), sdl);
writeFileSync(join(folder, 'api.graphql'), toApiSdl(sdl));
