import * as config from '../../../src/config/config';
import type { Config, Environment } from '../../../src/config/settings';
import { extensions, graphParts } from '../../../src/extensions';
import type { Sandbox } from '../../../src/extensions/sandbox/service';
import type { EmbeddedSandbox } from '../../../src/extensions/sandbox/start';
import * as graph from '../../../src/graph/schema/build-schema';
import * as start from '../../../src/server/start';
import type { Logger } from '../../../src/server/telemetry/logger';

// padron with all its extensions, as users have it.

export const readConfig = (environment: Environment): Config => config.readConfig(environment, extensions);

export const misspeltSettings = (environment: Environment) => config.misspeltSettings(environment, extensions);

export const buildGraph = (options?: graph.GraphOptions): graph.Graph => graph.buildGraph(graphParts, options);

export const startPadron = (read: Config, log: Logger, options?: start.StartOptions): Promise<start.Padron> =>
  start.startPadron(read, log, extensions, options);

export const sandboxOf = ({ service }: Pick<start.Padron, 'service'>): Sandbox | undefined =>
  (service as EmbeddedSandbox | null)?.sandbox;
