import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { CallerExtension } from '../graph/core/context';
import type { Language } from '../identifiers/text';
import type { Caller, RequestLabels } from '../registry/caller';
import type { AnyEndpoint } from '../registry/endpoint/endpoint';
import type { Terms } from '../registry/endpoint/price-list';

/** Returns the terms that a service charges by, by the method and path of an endpoint. */
export type ServiceTerms = (endpoint: string) => Terms | undefined;

/** The part of the graph that an embedded service knows. */
export interface ServicePart {
  readonly termsOf: ServiceTerms;
  readonly endpoints: readonly AnyEndpoint[];
}

/** A registry service that runs within this process. */
export interface EmbeddedService {
  readonly url: string;
  /** Returns lines about the service for the startup message. `graphUrl` is the URL of the graph. */
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
  /** Base URL of links to padron. Null if `PUBLIC_URL` is not set and the request has no valid `Host` header. */
  readonly linkBase: string | null;
  /**
   * IDs of the operations that the response may show. Extensions add to this set. If one of them is erased, the result stored under the
   * idempotency key is deleted too.
   */
  readonly shownOperations: Set<string>;
}

export interface StartedExtension {
  /** Adds its routes. Returns a hook for the requests of `/graphql`, or null. */
  routes?(http: FastifyInstance, admission: Admission): Promise<onRequestHookHandler | null>;
  /** Returns the value that its fields read from the context of a request, as `context.extensions[name]`. */
  contextFor?(request: CallerRequest): CallerExtension;
  /** Returns its line of the startup message. `address` is the server's. */
  greeting?(address: string): string;
  /** Set if this process does not serve the graph. `greeting` begins its startup message. `message` is the error for requests to the graph. */
  readonly otherTask?: { readonly greeting: string; readonly message: string };
  stop?(): Promise<void>;
}

/** Returns what this process does instead of serving the graph, or undefined. */
export const otherTaskOf = (extensions: ReadonlyMap<string, StartedExtension>): StartedExtension['otherTask'] =>
  [...extensions.values()].flatMap(({ otherTask }) => otherTask ?? [])[0];
