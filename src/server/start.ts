import { ConfigError } from '../config/config';
import type { Config } from '../config/settings';
import { startBatches } from '../extensions/batch/server/start-batches';
import { SANDBOX_TOKEN } from '../extensions/sandbox/accounts/accounts';
import type { Sandbox } from '../extensions/sandbox/service';
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
import { ErrorFormatter } from './errors/error-formatter';
import { ErrorReference } from './http/error-reference';
import { createRequestResults, openPersistence, startCalls, startLedger } from './persistence';
import type { Services } from './services';
import type { Logger } from './telemetry/logger';
import { Metrics } from './telemetry/metrics';
import { loadTrustedDocuments } from './trusted-documents';

export interface Padron {
  readonly url: string;
  /** The embedded sandbox, or null if `REGISTRY_URL` names a service. */
  readonly sandbox: Sandbox | null;
  /** A token that the embedded sandbox accepts, or null if callers bring the tokens of a service. */
  readonly token: string | null;
  greeting(): Promise<string>;
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
export async function startPadron(config: Config, log: Logger, options: StartOptions = {}): Promise<Padron> {
  const { now = () => new Date() } = options;
  const { registryTimeoutMs: timeoutMs, registryConcurrency: concurrency } = config;
  const parts = new StartedParts();
  try {
    const service = parts.add(await startService(config, now), async ({ sandbox }) => sandbox?.close());
    const client = createClient(config, service.url, log, now);
    const metrics = new Metrics(() => client.state());
    const core = { config, log, now, serviceUrl: service.url, client, metrics };

    // What outlives a request: the store, the calls with their answers, and the ledger.
    const persistence = parts.add(await openPersistence(core), (opened) => opened.store.close());
    parts.add(client, () => client.close());
    const calls = parts.add(await startCalls(core, persistence), (started) => started.close());
    const ledger = parts.add(startLedger(core, persistence, calls), (started) => started.close());

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
      calls,
      requests: createRequestResults(core, persistence, calls),
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
    const services: { -readonly [Name in keyof Services]: Services[Name] } = { ...shared, batches: null };
    const graphql = parts.add(new GraphqlHandler(services), (handler) => handler.stop());
    await graphql.start();
    services.batches = parts.add(startBatches(shared, persistence, graphql), (started) => started.stop());
    const app = parts.add(await createApp(services, graphql), (started) => started.stop());
    const address = await app.http.listen({ host: config.host, port: config.port });
    const { sandbox } = service;
    const token = sandbox === null ? null : SANDBOX_TOKEN;
    const url = `${address}/graphql`;
    const greeting = () => createGreeting(address, app.tools, sandbox, config);
    return { url, sandbox, token, greeting, stop: () => parts.stop() };
  } catch (error) {
    await parts.stop();
    throw error instanceof UnusableStoreError ? new ConfigError([error.message]) : error;
  }
}

interface Service {
  readonly url: string;
  readonly sandbox: Sandbox | null;
}

/** Returns the service of `REGISTRY_URL`. Without that setting, starts the embedded sandbox. */
async function startService(config: Config, clock: () => Date): Promise<Service> {
  const { registryUrl, sandboxAuthorities: authorities, identityPath } = config;
  if (registryUrl !== null) return { url: registryUrl, sandbox: null };
  // The modules are loaded on demand: with a real service they would only cost memory and time.
  const [{ startSandbox }, { readAuthorities }] = await Promise.all([
    import('../extensions/sandbox/service.js'),
    import('../extensions/sandbox/efirma/verify-signature.js'),
  ]);
  try {
    readAuthorities(authorities);
  } catch (error) {
    throw new ConfigError([`SANDBOX_AUTHORITIES: ${error instanceof Error ? error.message : 'unreadable.'}`]);
  }
  const sandbox = await startSandbox({ clock, authorities, ...(identityPath === null ? {} : { identityPath }) });
  return { url: sandbox.url, sandbox };
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

/** Returns the first output: what is served where and, with the embedded sandbox, a request to try, unless this server would reject it. */
async function createGreeting(
  address: string,
  tools: number | null,
  sandbox: Sandbox | null,
  config: Config,
): Promise<string> {
  const { subgraphSecret, trustedDocuments, mcp, batch } = config;
  const url = `${address}/graphql`;
  if (batch.role === 'worker')
    return `padron: runs batches, and serves no graph. Its health is at ${address}/health/ready\n`;
  const served = [`padron: one graph over the registries, at ${url}`];
  if (tools !== null) {
    const limit =
      mcp.maxUnits === null ? 'without a limit of units (MCP_MAX_UNITS)' : `at most ${mcp.maxUnits} units a call`;
    served.push(`${tools} tools for agents, ${limit}, at ${address}/mcp`);
  }
  if (sandbox === null) return `${served.join('\n')}\n`;
  const lines = [
    ...served,
    `over the embedded sandbox of the registry service, at ${sandbox.url} (invented people, no units of yours)`,
    `token: ${SANDBOX_TOKEN}`,
    '',
  ];
  if (trustedDocuments?.mode === 'enforce')
    return `${[...lines, 'TRUSTED_DOCUMENTS is set: send the ID of a published document.'].join('\n')}\n`;
  const { people } = await import('../extensions/sandbox/data/people.js');
  const nss = people.find(({ credit, licences }) => credit && licences.length > 0)?.nss;
  const query = `{ person(nss: \\"${nss}\\") { credit { outcome problems { code } record { names hasCredit } evidence { validationCode units } } licences { outcome problems { code } records { number title } } } }`;
  return [
    ...lines,
    `curl ${url} \\`,
    "  -H 'content-type: application/json' \\",
    `  -H 'authorization: Bearer ${SANDBOX_TOKEN}' \\`,
    ...(subgraphSecret !== null ? ['  -H "x-subgraph-secret: $SUBGRAPH_SECRET" \\'] : []),
    `  -d '{"query":"${query}"}'`,
    '',
    '',
  ].join('\n');
}
