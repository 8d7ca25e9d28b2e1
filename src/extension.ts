import type { Commands } from './cli/program';
import type { Config, SettingsPart } from './config/settings';
import type { GraphPart } from './graph/schema/graph-part';
import type { GraphqlHandler } from './server/apollo/graphql-handler';
import type { Persistence, StorePart } from './server/persistence';
import type { EmbeddedService, Services, StartedExtension } from './server/services';

/** The running core, to which an extension adds its part. */
export interface Core {
  readonly services: Services;
  /** Null without a store. */
  readonly persistence: Persistence | null;
  readonly graphql: GraphqlHandler;
}

/**
 * A part that padron can do without. The core knows it by this interface, and `extensions.ts` is the only file that names it.
 * What is large is loaded when it starts: the command line knows every extension, and needs little of it.
 */
export interface Extension extends SettingsPart {
  /** Fields of the graph. */
  readonly graph?: GraphPart;
  /** Tables and functions of the store. They may use those of the core, and not each other's. */
  readonly store?: StorePart;
  /** Commands of the command line, by name. */
  readonly commands?: Commands;
  /** Starts the service that padron asks if `REGISTRY_URL` is not set. */
  startService?(config: Config, now: () => Date): Promise<EmbeddedService>;
  /** Starts its part of a process, before the server listens. Returns null if its settings turn it off. */
  start?(core: Core): Promise<StartedExtension | null>;
}
