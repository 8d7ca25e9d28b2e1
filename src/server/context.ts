import type { FastifyRequest } from 'fastify';
import type { Config } from '../config';
import type { Context } from '../graph/context';
import type { Graph } from '../graph/schema';
import type { RegistryClient } from '../registry/client';
import type { LinkReader } from '../registry/link';
import { LiveDataSource } from '../registry/registry';
import type { ReplayCache } from '../registry/replay';
import { UnitMeter } from '../registry/units';
import { readsJsonBehind200Only } from './accept';
import type { Account } from './authentication';
import type { Log } from './log';
import type { Metrics } from './metrics';
import { budgetOf, isDryRun, isSandbox } from './request-headers';
import type { Told } from './request-log';

/** What one process has once and every request shares. */
export interface Services {
  readonly config: Config;
  readonly graph: Graph;
  readonly client: RegistryClient;
  readonly replay: ReplayCache;
  readonly links: LinkReader;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly now: () => Date;
}

/** A request's context as the server makes it: what resolvers share, and what its errors are told by. */
export interface RequestContext extends Context {
  readonly requestId: string;
  readonly units: UnitMeter;
  /** What the log will tell of the request. */
  readonly told: Told;
  /** Faults of a document go to this client with status 200. */
  readonly only200: boolean;
  /** Tell the price and run nothing. */
  readonly dryRun: boolean;
}

const mostFileBytes = 16_000_000;
const nobody: Account = { bearer: null, account: '', heldHere: false, permissions: null };

/** Bytes of files that a response came to hold. */
export const fileBytesIn = ({ fileAllowance }: Context): number => mostFileBytes - fileAllowance.bytes;

/** Throws where a header about money cannot be read. */
export function contextOf(
  { config, client, replay, links, graph, metrics, now }: Services,
  request: FastifyRequest,
  signal: AbortSignal,
): RequestContext {
  const units = new UnitMeter(budgetOf(request.headers, config), metrics);
  const told: Told = { operation: null, units };
  request.told = told;
  const caller = { ...(request.account ?? nobody), sandbox: isSandbox(request.headers, config) };
  return {
    dataSource: new LiveDataSource(client, replay, { caller, request, signal }, units),
    links,
    catalogue: graph.catalogue,
    checkDigits: config.checkDigits,
    now,
    tellsBalance: config.balancePath !== null,
    units,
    only200: readsJsonBehind200Only(request.headers.accept),
    dryRun: isDryRun(request.headers),
    fileAllowance: { bytes: mostFileBytes },
    requestId: request.id,
    told,
  };
}
