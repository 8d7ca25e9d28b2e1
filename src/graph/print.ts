import { buildGraph } from './schema';

process.stdout.write(buildGraph().sdl);
