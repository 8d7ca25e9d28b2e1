import type { Config, Environment, SettingsPart } from '../config/settings';
import type { OperationLimiter } from '../graph/core/operations/operation-limits';
import type { Graph, GraphPart } from '../graph/schema/build-schema';
import type { Calls } from '../money/calls/calls';
import type { AuditTrail } from '../money/ledger/audit/audit-trail';
import type { RegistryClient } from '../registry/client/client';
import type { Commands } from '../terminal/command';
import type { GraphqlHandler } from './apollo/graphql-handler';
import type { OperationGate } from './apollo/operation-gate';
import type { KnownAccounts } from './auth/known-accounts';
import type { ErrorFormatter } from './errors/error-formatter';
import type { Persistence, RequestResults, StorePart } from './persistence';
import type { RequestContext, Sender } from './request-context';
import type { EmbeddedService, ServicePart, StartedExtension } from './started-extension';
import type { Logger } from './telemetry/logger';
import type { Metrics } from './telemetry/metrics';

/** The running core, to which an extension adds its part. */
export interface Core {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  /** The open store and its keys, or null if padron has no store. */
  readonly persistence: Persistence | null;
  readonly graphql: GraphqlHandler;
  readonly graph: Graph;
  readonly limiter: OperationLimiter;
  /** The trusted documents. */
  readonly gate: OperationGate;
  readonly errors: ErrorFormatter;
  /** Creates the context of an operation that no request of a client sends. */
  readonly createContext: (sender: Sender) => RequestContext;
  readonly client: RegistryClient;
  readonly serviceUrl: string;
  readonly calls: Calls;
  readonly requests: RequestResults;
  readonly knownAccounts: KnownAccounts;
  /** Records who reads what. Null without a ledger. */
  readonly trail: AuditTrail | null;
}

/**
 * An optional part of padron. The core uses it through this interface, and only `extensions.ts` imports it.
 * An extension imports its large modules when it starts, because the command line imports every extension and needs little of each.
 */
export interface Extension extends SettingsPart {
  readonly graph?: GraphPart;
  /** Tables and functions of the store. They may use those of the core, but not those of other extensions. */
  readonly store?: StorePart;
  readonly commands?: Commands;
  /** Starts the service that padron calls if `REGISTRY_URL` is not set. */
  startService?(config: Config, now: () => Date, part: ServicePart): Promise<EmbeddedService>;
  /** Returns this extension with what an environment adds to it, before the settings are read. */
  forEnvironment?(environment: Environment): Promise<Extension>;
  /** Starts its part of a process, before the server listens. Returns null if its settings turn it off. */
  start?(core: Core): Promise<StartedExtension | null>;
}

/** Returns the extensions as an environment completes them. */
export const extensionsFor = (
  environment: Environment,
  extensions: readonly Extension[],
): Promise<readonly Extension[]> =>
  Promise.all(extensions.map((extension) => extension.forEnvironment?.(environment) ?? extension));
