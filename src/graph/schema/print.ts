import { buildGraph } from './build-schema';

process.stdout.write(buildGraph().sdl);
