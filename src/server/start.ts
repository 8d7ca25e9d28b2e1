import { GraphQLError, type GraphQLSchema } from 'graphql';
import { ConfigError } from '../config/config';
import type { Config } from '../config/settings';
import { PdfTextReader } from '../graph/core/files/pdf-text-reader';
import { OperationLimiter } from '../graph/core/operations/operation-limits';
import {
  checkDocument,
  DocumentFileError,
  type DocumentRules,
  type PublishedDocument,
  readDocuments,
} from '../graph/core/operations/read-documents';
import { TrustedDocuments } from '../graph/core/operations/trusted-documents';
import { buildGraph, type Graph } from '../graph/schema/build-schema';
import type { Caller } from '../registry/caller';
import { RegistryClient } from '../registry/client/client';
import { SignedLinkClient } from '../registry/signed-links';
import { UnusableStoreError } from '../store/store';
import { GraphqlHandler } from './apollo/graphql-handler';
import { OperationGate, type TrustRules } from './apollo/operation-gate';
import { createRequestPipeline, SignatureLimiter } from './apollo/plugins/request-pipeline';
import { createApp } from './app';
import { checkAccount, KnownAccounts } from './auth/known-accounts';
import { allCodes } from './errors/codes';
import { ErrorFormatter } from './errors/error-formatter';
import type { Extension } from './extension';
import { ErrorReference } from './http/error-reference';
import { LastingRequests } from './lasting-requests';
import { createRequestResults, openPersistence, partsOf, startCalls, startLedger } from './persistence';
import { readPrices, termsByAddress } from './prices';
import { createContext, RequestContexts, type Sender } from './request-context';
import { type EmbeddedService, otherTaskOf, type ServicePart, type StartedExtension } from './started-extension';
import type { Logger } from './telemetry/logger';
import { Metrics } from './telemetry/metrics';

export interface Padron {
  readonly url: string;
  /** The embedded service, or null if `REGISTRY_URL` names one. */
  readonly service: EmbeddedService | null;
  greeting(): string;
  /** Resolves if a newer version migrates the store in a way that this process cannot work with, with the names of the migrations. */
  readonly superseded: Promise<readonly string[]>;
  /** Answers the running requests, then stops every part. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly now?: () => Date;
  /** Returns the settings with the secrets that files have now. */
  readonly latest?: () => Config;
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
  const { now = () => new Date(), latest = () => config } = options;
  const { registryTimeoutMs: timeoutMs, registryConcurrency: concurrency, proxies } = config;
  const parts = new StartedParts();
  try {
    const graphParts = extensions.flatMap((extension) => extension.graph ?? []);
    const graph = options.graph ?? buildGraph(graphParts, { scopes: config.schemaScopes });
    const prices = readPrices(config, graph);
    const endpoints = graph.catalogue.map(({ endpoint }) => endpoint);
    const ownPart = { termsOf: termsByAddress(prices, graph), endpoints };
    const service = parts.add(await startService(config, extensions, now, ownPart), (started) => started.close());
    const serviceUrl = service?.url ?? config.registryUrl ?? '';
    const client = createClient(config, serviceUrl, log, now);
    client.prices = prices;
    const metrics = new Metrics(() => client.state());
    const core = { config, latest, log, now, serviceUrl, client, metrics };
    const storeParts = partsOf(extensions);

    // Parts that outlive a request: the store, the calls with their answers, and the ledger.
    const persistence = parts.add(await openPersistence(core, storeParts), (opened) => opened.store.close());
    parts.add(client, () => client.close());
    const calls = parts.add(await startCalls(core, persistence), (started) => started.close());
    parts.add(persistence?.schema, async (watch) => watch.stop());
    await persistence?.schema.start();
    const ledger = parts.add(startLedger(core, persistence, calls), (started) => started.close());

    const origins = [new URL(serviceUrl).origin, ...config.linkOrigins];
    const links = new SignedLinkClient({ origins, timeoutMs, concurrency, proxies, maxBytes: maxLinkBytes });
    const pdfText = new PdfTextReader();
    parts.add({ links, pdfText }, () => Promise.all([links.close(), pdfText.close()]));

    const limiter = new OperationLimiter(graph, config.limits);
    const errorReference = new ErrorReference(config, allCodes(graph));
    const countError = (code: string): void => metrics.recordError(code);
    const errors = new ErrorFormatter(graph, log, !config.introspection, countError, errorReference.urlOf);
    const gate = new OperationGate(loadTrustedDocuments(config, graph.schema, limiter), metrics, log);
    const knownAccounts = new KnownAccounts((caller) => checkAccount(client, caller));
    const requests = createRequestResults(core, persistence, calls, storeParts);

    const started = new Map<string, StartedExtension>();
    const ofSender = (sender: Sender) => createContext({ config, links, pdfText, graph, limiter, gate, now }, sender);
    const contexts = new RequestContexts({
      ...core,
      calls,
      lasting: new LastingRequests(calls.store?.operations ?? null, knownAccounts),
      ledger,
      knownAccounts,
      endpoints,
      extensions: started,
      createContext: ofSender,
    });
    const checks = { graph, limiter, errors, requests };
    const findRefusal = (caller: Caller) => knownAccounts.findRefusal(caller);
    const pipeline = createRequestPipeline({ ...core, ...checks, errorReference, findRefusal });
    const handler = new GraphqlHandler({ config, schema: graph.schema, errors, pipeline, gate, contexts });
    const graphql = parts.add(handler, () => handler.stop());
    await graphql.start();
    for (const extension of extensions) {
      const running = await extension.start?.({
        ...core,
        ...checks,
        ...{ persistence, calls, knownAccounts, gate, graphql },
        trail: ledger?.trail ?? null,
        createContext: ofSender,
      });
      parts.add(running, async (part) => part.stop?.());
      if (running) started.set(extension.name, running);
    }
    const served = { errorReference, graphql, extensions: started, csv: ledger?.csv ?? null };
    const app = await createApp({ ...core, ...served, storeState: () => calls.store?.state ?? null });
    parts.add(app, () => app.stop());
    const address = await app.http.listen({ host: config.host, port: config.port });
    const greeting = (): string => createGreeting(address, started, service);
    const superseded = persistence?.schema.superseded ?? new Promise<never>(() => undefined);
    return { url: `${address}/graphql`, service, greeting, superseded, stop: () => parts.stop() };
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
  part: ServicePart,
): Promise<EmbeddedService | null> {
  if (config.registryUrl !== null) return null;
  const embedded = extensions.find(({ startService }) => startService !== undefined);
  if (embedded?.startService !== undefined) return embedded.startService(config, now, part);
  throw new ConfigError(['REGISTRY_URL is not set. Set it to the base URL of the registry service.']);
}

/** The parts of a process that must be stopped. They stop in the reverse order of their start, so that no part outlives its dependencies. */
export class StartedParts {
  private readonly steps: (() => Promise<unknown>)[] = [];

  /** Adds a part and the function that stops it. Returns the part. Ignores null: such a part was not started. */
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
  const { registryTimeoutMs: timeoutMs, registryConcurrency: concurrency, proxies, identityPath, balancePath } = config;
  const paths = {
    ...(identityPath === null ? {} : { identityPath }),
    ...(balancePath === null ? {} : { balancePath }),
  };
  return new RegistryClient({ url, timeoutMs, concurrency, proxies, now, paths, onCall: (call) => log.call(call) });
}

/** Returns the startup message: the addresses at which padron serves its parts. */
function createGreeting(
  address: string,
  extensions: ReadonlyMap<string, StartedExtension>,
  service: EmbeddedService | null,
): string {
  const otherTask = otherTaskOf(extensions);
  if (otherTask !== undefined) return `${otherTask.greeting} Its health is at ${address}/health/ready\n`;
  const url = `${address}/graphql`;
  const served = [...extensions.values()].flatMap((part) => part.greeting?.(address) ?? []);
  const lines = [`padron: one graph over the registries, at ${url}`, ...served, ...(service?.greeting(url) ?? [])];
  return `${lines.join('\n')}\n`;
}

/**
 * Reads and checks the documents of `TRUSTED_DOCUMENTS`. Returns null without this setting. Throws a `ConfigError` that names each document
 * that could not run.
 */
function loadTrustedDocuments(
  { trustedDocuments, limits }: Pick<Config, 'trustedDocuments' | 'limits'>,
  schema: GraphQLSchema,
  limiter: OperationLimiter,
): TrustRules | null {
  if (trustedDocuments === null) return null;
  const { paths, mode } = trustedDocuments;
  try {
    // Each path is read separately, because two versions of a frontend may have fragments of the same name.
    const published = paths.flatMap((path) => readDocuments([path], limits.tokens));
    const errors = findErrors(published, { schema, limiter, maxTokens: limits.tokens });
    if (errors.length > 0) throw new ConfigError(errors.map(explain));
    return { documents: new TrustedDocuments(published), mode };
  } catch (error) {
    throw error instanceof DocumentFileError ? new ConfigError([explain(error.message)]) : error;
  }
}

const explain = (message: string): string => `TRUSTED_DOCUMENTS: ${message}`;

function findErrors(published: readonly PublishedDocument[], rules: DocumentRules): readonly string[] {
  const signatures = new SignatureLimiter();
  return published.flatMap((document) => {
    try {
      const checked = checkDocument(document, rules);
      signatures.check(checked.document, checked.operation);
      return [];
    } catch (error) {
      if (error instanceof DocumentFileError) return [error.message];
      if (error instanceof GraphQLError) return [`${document.source}: ${error.message}`];
      throw error;
    }
  });
}
