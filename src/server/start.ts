import { ConfigError } from '../config/config';
import type { Config } from '../config/settings';
import type { Extension } from '../extension';
import { PdfTextReader } from '../graph/core/files/pdf-text-reader';
import { OperationLimiter } from '../graph/core/operations/operation-limits';
import { buildGraph, type Graph } from '../graph/schema/build-schema';
import { OperationBudgets } from '../money/units/operation-budgets';
import { RegistryClient } from '../registry/client/client';
import { SignedLinkClient } from '../registry/signed-links';
import { UnusableStoreError } from '../store/store';
import { GraphqlHandler } from './apollo/graphql-handler';
import { OperationGate } from './apollo/operation-gate';
import { createApp } from './app';
import { checkAccount, KnownAccounts } from './auth/known-accounts';
import { allCodes } from './errors/codes';
import { ErrorFormatter } from './errors/error-formatter';
import { ErrorReference } from './http/error-reference';
import { createRequestResults, openPersistence, partsOf, startCalls, startLedger } from './persistence';
import { type EmbeddedService, otherTaskOf, type Services, type StartedExtension } from './services';
import type { Logger } from './telemetry/logger';
import { Metrics } from './telemetry/metrics';
import { loadTrustedDocuments } from './trusted-documents';

export interface Padron {
  readonly url: string;
  /** The embedded service, or null if `REGISTRY_URL` names one. */
  readonly service: EmbeddedService | null;
  greeting(): string;
  /** Answers the running requests, then stops every part. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly now?: () => Date;
  /** A graph that has been built already, for a process that starts several servers. */
  readonly graph?: Graph;
}

const maxLinkBytes = 10_000_000;

/**
 * Starts the parts of padron from top to bottom. Each depends on parts above it only, and they stop from bottom to top. If a part cannot
 * start, the parts above it are stopped. Does not wait for the registry service.
 */
export async function startPadron(
  config: Config,
  log: Logger,
  extensions: readonly Extension[],
  options: StartOptions = {},
): Promise<Padron> {
  const { now = () => new Date() } = options;
  const { registryTimeoutMs: timeoutMs, registryConcurrency: concurrency } = config;
  const parts = new StartedParts();
  try {
    const service = parts.add(await startService(config, extensions, now), (started) => started.close());
    const serviceUrl = service?.url ?? config.registryUrl ?? '';
    const client = createClient(config, serviceUrl, log, now);
    const metrics = new Metrics(() => client.state());
    const core = { config, log, now, serviceUrl, client, metrics };
    const storeParts = partsOf(extensions);

    // What outlives a request: the store, the calls with their answers, and the ledger.
    const persistence = parts.add(await openPersistence(core, storeParts), (opened) => opened.store.close());
    parts.add(client, () => client.close());
    const calls = parts.add(await startCalls(core, persistence), (started) => started.close());
    const ledger = parts.add(startLedger(core, persistence, calls), (started) => started.close());

    const origins = [new URL(serviceUrl).origin, ...config.linkOrigins];
    const links = new SignedLinkClient({ origins, timeoutMs, concurrency, maxBytes: maxLinkBytes });
    const pdfText = new PdfTextReader();
    parts.add({ links, pdfText }, () => Promise.all([links.close(), pdfText.close()]));

    const graphParts = extensions.flatMap((extension) => extension.graph ?? []);
    const graph = options.graph ?? buildGraph(graphParts, { scopes: config.schemaScopes });
    const limiter = new OperationLimiter(graph, config.limits);
    const errorReference = new ErrorReference(config, allCodes(graph));
    const countError = (code: string): void => metrics.recordError(code);
    const started = new Map<string, StartedExtension>();
    const services: Services = {
      ...core,
      calls,
      requests: createRequestResults(core, persistence, calls, storeParts),
      ledger,
      links,
      pdfText,
      graph,
      limiter,
      gate: new OperationGate(loadTrustedDocuments(config, graph.schema, limiter), metrics, log),
      operations: new OperationBudgets(),
      errorReference,
      errors: new ErrorFormatter(graph, log, !config.introspection, countError, errorReference.urlOf),
      knownAccounts: new KnownAccounts((caller) => checkAccount(client, caller)),
      extensions: started,
    };
    const graphql = parts.add(new GraphqlHandler(services), (handler) => handler.stop());
    await graphql.start();
    for (const extension of extensions) {
      const running = parts.add((await extension.start?.({ services, persistence, graphql })) ?? null, async (part) =>
        part.stop?.(),
      );
      if (running !== null) started.set(extension.name, running);
    }
    const app = parts.add(await createApp(services, graphql), (running) => running.stop());
    const address = await app.http.listen({ host: config.host, port: config.port });
    const greeting = (): string => createGreeting(address, services, service);
    return { url: `${address}/graphql`, service, greeting, stop: () => parts.stop() };
  } catch (error) {
    await parts.stop();
    throw error instanceof UnusableStoreError ? new ConfigError([error.message]) : error;
  }
}

/** Starts the service of an extension. Returns null if `REGISTRY_URL` names one. */
async function startService(
  config: Config,
  extensions: readonly Extension[],
  now: () => Date,
): Promise<EmbeddedService | null> {
  if (config.registryUrl !== null) return null;
  const embedded = extensions.find(({ startService }) => startService !== undefined);
  if (embedded?.startService !== undefined) return embedded.startService(config, now);
  throw new ConfigError(['REGISTRY_URL is not set. Set it to the base URL of the registry service.']);
}

/** The parts of a process that must be stopped. They stop in the reverse order of their start, so that no part outlives its dependencies. */
export class StartedParts {
  private readonly steps: (() => Promise<unknown>)[] = [];

  /** Adds a part, with how it is stopped, and returns it. A part that is null was not started. */
  add<Part>(part: Part, stop: (part: NonNullable<Part>) => Promise<unknown>): Part {
    if (part !== null && part !== undefined) this.steps.push(() => stop(part));
    return part;
  }

  /** Stops one part after another. A second call stops nothing. */
  async stop(): Promise<void> {
    for (const stop of this.steps.splice(0).reverse()) await stop();
  }
}

function createClient(config: Config, url: string, log: Logger, now: () => Date): RegistryClient {
  const { registryTimeoutMs: timeoutMs, registryConcurrency: concurrency, identityPath, balancePath } = config;
  const paths = {
    ...(identityPath === null ? {} : { identityPath }),
    ...(balancePath === null ? {} : { balancePath }),
  };
  return new RegistryClient({ url, timeoutMs, concurrency, now, paths, onCall: (call) => log.call(call) });
}

/** Returns the first output: what is served where. */
function createGreeting(address: string, services: Services, service: EmbeddedService | null): string {
  const otherTask = otherTaskOf(services);
  if (otherTask !== undefined) return `${otherTask.greeting} Its health is at ${address}/health/ready\n`;
  const url = `${address}/graphql`;
  const served = [...services.extensions.values()].flatMap((part) => part.greeting?.(address) ?? []);
  const lines = [`padron: one graph over the registries, at ${url}`, ...served, ...(service?.greeting(url) ?? [])];
  return `${lines.join('\n')}\n`;
}
