import { KnownAccounts } from '../batch/known-accounts';
import { ConfigError } from '../config/config';
import type { Config } from '../config/settings';
import { PdfTextReader } from '../graph/core/files/pdf-text-reader';
import { OperationLimiter } from '../graph/core/operations/operation-limits';
import { buildGraph, type Graph } from '../graph/schema/build-schema';
import { EarlyAnswers } from '../registry/answers/early-answers';
import { InFlightCalls } from '../registry/answers/in-flight-calls';
import { RegistryClient } from '../registry/client/client';
import { OperationBudgets } from '../registry/operation-budgets';
import { SignedLinkClient } from '../registry/signed-links';
import { SANDBOX_TOKEN } from '../sandbox/accounts/accounts';
import type { Sandbox } from '../sandbox/service';
import { UnusableStoreError } from '../store/store';
import { OperationGate } from './apollo/operation-gate';
import { createApp } from './app';
import { checkAccount } from './batch/check-account';
import { startBatches } from './batch/start-batches';
import { ErrorFormatter } from './errors/error-formatter';
import { ErrorReference } from './http/error-reference';
import { startLedger } from './ledger/start-ledger';
import { openPersistence } from './persistence';
import { startAnswerStore } from './start-answer-store';
import { startService } from './start-service';
import { StartedParts } from './started-parts';
import type { Logger } from './telemetry/logger';
import { Metrics } from './telemetry/metrics';
import { loadTrustedDocuments } from './trusted-documents';

/** A running padron. */
export interface Padron {
  readonly url: string;
  /** The embedded sandbox, or null if `REGISTRY_URL` names a service. */
  readonly sandbox: Sandbox | null;
  /** A token that the embedded sandbox accepts, or null if callers bring the tokens of a service. */
  readonly token: string | null;
  /** Answers the running requests, then stops every part. */
  stop(): Promise<void>;
}

/** Options that are not settings. */
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
export async function startPadron(config: Config, log: Logger, options: StartOptions = {}): Promise<Padron> {
  const { now = () => new Date() } = options;
  const { registryTimeoutMs: timeoutMs, registryConcurrency: concurrency } = config;
  const parts = new StartedParts();
  try {
    const service = parts.add(await startService(config, now), async ({ sandbox }) => sandbox?.close());
    const client = createClient(config, service.url, log, now);
    const metrics = new Metrics(() => client.state());
    const core = { config, log, now, serviceUrl: service.url, client, metrics };

    // What outlives a request: answers, and the ledger with its store.
    const store = parts.add(await startAnswerStore(core, service.url), (answers) => answers.close());
    const persistence = parts.add(await openPersistence(core), (opened) => opened.store.close());
    const ledger = parts.add(await startLedger(core, persistence), (started) => started.close());

    // Calls continue after their clients have disconnected. They are paid, so they end before the stores of their answers close.
    parts.add(client, () => client.close());
    const calls = parts.add(new InFlightCalls(now), (inFlight) => inFlight.drain());

    const origins = [new URL(service.url).origin, ...config.linkOrigins];
    const links = new SignedLinkClient({ origins, timeoutMs, concurrency, maxBytes: maxLinkBytes });
    const pdfText = new PdfTextReader();
    parts.add({ links, pdfText }, () => Promise.all([links.close(), pdfText.close()]));

    const graph = options.graph ?? buildGraph({ scopes: config.schemaScopes });
    const limiter = new OperationLimiter(graph, config.limits);
    const errorReference = new ErrorReference(config);
    const countError = (code: string): void => metrics.recordError(code);
    const shared = {
      ...core,
      replay: { store, calls, early: parts.add(new EarlyAnswers(store, now), async (early) => early.close()) },
      ledger,
      links,
      pdfText,
      graph,
      limiter,
      gate: new OperationGate(loadTrustedDocuments(config, graph.schema, limiter), metrics, log),
      operations: new OperationBudgets(),
      errorReference,
      errors: new ErrorFormatter(graph.schema, log, !config.introspection, countError, errorReference.urlOf),
      knownAccounts: new KnownAccounts((caller) => checkAccount(client, caller)),
    };
    const batches = parts.add(startBatches(shared, persistence), (started) => started.stop());
    const app = parts.add(await createApp({ ...shared, batches }), (started) => started.stop());
    const address = await app.http.listen({ host: config.host, port: config.port });
    const { sandbox } = service;
    const token = sandbox === null ? null : SANDBOX_TOKEN;
    return { url: `${address}/graphql`, sandbox, token, stop: () => parts.stop() };
  } catch (error) {
    await parts.stop();
    throw error instanceof UnusableStoreError ? new ConfigError([error.message]) : error;
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
