import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Config } from '../config/settings';
import type { CallerExtension } from '../graph/core/context';
import type { PdfTextReader } from '../graph/core/files/pdf-text-reader';
import type { OperationLimiter } from '../graph/core/operations/operation-limits';
import type { Graph } from '../graph/schema/build-schema';
import type { Language } from '../identifiers/text';
import type { AuditTrail } from '../money/audit/audit-trail';
import type { StoredBudgets } from '../money/budgets/stored-budgets';
import type { Calls } from '../money/calls/calls';
import type { AccountNames } from '../money/entries/account-names';
import type { EventStore } from '../money/events/event-store';
import type { ResultStore } from '../money/idempotency/request-results';
import type { CsvExport } from '../money/reading/csv-export';
import type { LedgerReader } from '../money/reading/ledger-reader';
import type { SharedNames } from '../money/store/shared-names';
import type { OperationBudgets } from '../money/units/operation-budgets';
import type { Caller } from '../registry/caller';
import type { RegistryClient } from '../registry/client/client';
import type { SignedLinkClient } from '../registry/signed-links';
import type { OperationGate } from './apollo/operation-gate';
import type { RequestAccount } from './auth/authentication';
import type { KnownAccounts } from './auth/known-accounts';
import type { ErrorFormatter } from './errors/error-formatter';
import type { ErrorReference } from './http/error-reference';
import type { RequestLabels } from './http/request-headers';
import type { Logger } from './telemetry/logger';
import type { Metrics } from './telemetry/metrics';

declare module 'fastify' {
  interface FastifyRequest {
    /** Account of the request. Null until the request is authenticated. */
    account: RequestAccount | null;
  }
}

/** The ledger of a process, as it is read. `Calls` records the entries. */
export interface RunningLedger {
  readonly accounts: AccountNames;
  readonly reader: LedgerReader;
  readonly budgets: StoredBudgets;
  readonly events: EventStore;
  readonly csv: CsvExport;
  readonly trail: AuditTrail;
  close(): Promise<void>;
}

/** A registry service that runs within this process. */
export interface EmbeddedService {
  readonly url: string;
  /** Returns lines about the service, for the first output of a padron at this URL of its graph. */
  greeting(graphUrl: string): readonly string[];
  close(): Promise<unknown>;
}

/** Admits the requests of a route: their authentication and log lines, and one limit for all routes. */
export interface Admission {
  readonly authenticate: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;
  limit(
    handle: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/** A request of a caller, as an extension sees it. */
export interface CallerRequest {
  readonly caller: Caller;
  readonly labels: RequestLabels;
  readonly language: Language;
  /** Units that the request may spend by its header and `MAX_UNITS`. Null for no limit. */
  readonly budget: number | null;
  /** Beginning of links to this padron. Null if the request names no usable host. */
  readonly linkBase: string | null;
  /** IDs of the operations that the response may show. An erased operation takes kept results with it. */
  readonly shown: Set<string>;
}

/** An extension of a process that has started. */
export interface StartedExtension {
  /** Adds its routes. Returns a hook for the requests of `/graphql`, or null. */
  routes?(http: FastifyInstance, admission: Admission): Promise<onRequestHookHandler | null>;
  /** Returns what its fields find in the context of a request, under its name. */
  ofRequest?(request: CallerRequest): CallerExtension;
  /** Returns its line of the first output. `address` is the one of the server. */
  greeting?(address: string): string;
  /** Set if this process does something else than to serve the graph: what, and what a request for the graph is told. */
  readonly otherTask?: { readonly greeting: string; readonly message: string };
  stop?(): Promise<void>;
}

export interface CoreServices {
  readonly config: Config;
  readonly log: Logger;
  readonly now: () => Date;
  readonly serviceUrl: string;
  readonly client: RegistryClient;
  readonly metrics: Metrics;
}

export interface SharedServices extends CoreServices {
  readonly calls: Calls;
  /** The results of requests with an idempotency key, and the names under which they are kept. */
  readonly requests: { readonly names: SharedNames; readonly results: ResultStore };
  readonly ledger: RunningLedger | null;
  readonly links: SignedLinkClient;
  readonly pdfText: PdfTextReader;
  readonly graph: Graph;
  readonly limiter: OperationLimiter;
  readonly operations: OperationBudgets;
  readonly gate: OperationGate;
  readonly errorReference: ErrorReference;
  readonly errors: ErrorFormatter;
  readonly knownAccounts: KnownAccounts;
}

export interface Services extends SharedServices {
  /** The extensions that have started, by their names. */
  readonly extensions: ReadonlyMap<string, StartedExtension>;
}

export const otherTaskOf = ({ extensions }: Services): StartedExtension['otherTask'] =>
  [...extensions.values()].flatMap(({ otherTask }) => otherTask ?? [])[0];
