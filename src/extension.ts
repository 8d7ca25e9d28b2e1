import type { Commands } from './cli/program';
import type { Config, SettingsPart } from './config/settings';
import type { GraphPart } from './graph/schema/build-schema';
import type { GraphqlHandler } from './server/apollo/graphql-handler';
import type { Persistence, StorePart } from './server/persistence';
import type { EmbeddedService, Services, StartedExtension } from './server/services';

/** The running core, to which an extension adds its part. */
export interface Core {
  readonly services: Services;
  /** The open store and its keys, or null if padron has no store. */
  readonly persistence: Persistence | null;
  readonly graphql: GraphqlHandler;
}

/**
 * A part that padron can do without. The core uses it by this interface, and only `extensions.ts` and `panels.ts` name it.
 * An extension imports its large modules when it starts, because the command line imports every extension and needs little of each.
 */
export interface Extension extends SettingsPart {
  /** Fields of the graph. */
  readonly graph?: GraphPart;
  /** Tables and functions of the store. They may use those of the core, but not those of other extensions. */
  readonly store?: StorePart;
  /** Commands of the command line, by name. */
  readonly commands?: Commands;
  /** Starts the service that padron calls if `REGISTRY_URL` is not set. */
  startService?(config: Config, now: () => Date): Promise<EmbeddedService>;
  /** Starts its part of a process, before the server listens. Returns null if its settings turn it off. */
  start?(core: Core): Promise<StartedExtension | null>;
}
