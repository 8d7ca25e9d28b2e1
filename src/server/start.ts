import { KnownAccounts } from '../batch/known-accounts';
import { type Config, ConfigError } from '../config/config';
import { OperationLimiter } from '../graph/operations/operation-limits';
import { buildGraph } from '../graph/schema/build-schema';
import { PdfTextReader } from '../pdf-text/pdf-text-reader';
import { InFlightCalls } from '../registry/answers/in-flight-calls';
import { RegistryClient } from '../registry/client/client';
import { OperationBudgets } from '../registry/operation-budgets';
import { SignedLinkClient } from '../registry/signed-links';
import { SANDBOX_TOKEN } from '../sandbox/accounts/accounts';
import type { Sandbox } from '../sandbox/service';
import { type App, createApp } from './app';
import { checkAccount } from './batch/check-account';
import { startBatches } from './batch/start-batches';
import { openData } from './data';
import { ErrorReference } from './http/error-reference';
import { openLedgerServices } from './ledger/open-ledger-services';
import { startAnswerStore } from './replay';
import type { Logger } from './telemetry/logger';
import { Metrics } from './telemetry/metrics';

/** A running padron. */
export interface Padron {
  readonly url: string;
  /** The service embedded in this process, when no other one was named. */
  readonly sandbox: Sandbox | null;
  /** A token that works at once; null where callers bring their own. */
  readonly token: string | null;
  stop(): Promise<void>;
}

const maxLinkBytes = 10_000_000;

/** Options that are not settings. */
export interface StartOptions {
  readonly now?: () => Date;
}

/** Starts what the settings say: the graph, and the service itself where none is named. Does not wait for the registry. */
export async function startPadron(config: Config, log: Logger, options: StartOptions = {}): Promise<Padron> {
  const { now = () => new Date() } = options;
  const sandbox = config.registryUrl === null ? await embeddedSandbox(config, now) : null;
  const registryUrl = config.registryUrl ?? sandbox?.url ?? '';
  const client = new RegistryClient({
    url: registryUrl,
    timeoutMs: config.registryTimeoutMs,
    concurrency: config.registryConcurrency,
    now,
    paths: {
      ...(config.identityPath === null ? {} : { identityPath: config.identityPath }),
      ...(config.balancePath === null ? {} : { balancePath: config.balancePath }),
    },
    onCall: (call) => log.call(call),
  });
  const metrics = new Metrics(() => client.state());
  const closers: (() => Promise<unknown> | undefined)[] = [() => sandbox?.close()];
  const stop = async (): Promise<void> => {
    // Closed in reverse order, because nothing open depends on what was opened last.
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const store = await startAnswerStore({ config, registryUrl, client, log, metrics: metrics.replay, now });
    closers.push(() => store.close());
    const serviceUrl = config.registryUrl ?? 'embedded sandbox';
    const data = await openData(config, serviceUrl, now, log, metrics);
    closers.push(() => data?.close());
    const ledgerServices = data === null ? null : openLedgerServices(config, data, now, log);
    closers.push(() => ledgerServices?.close());
    // Calls whose clients have left are still under way, and paid: they end before what keeps their answers does.
    closers.push(() => client.close());
    const calls = new InFlightCalls(now);
    closers.push(() => calls.drain());
    const links = new SignedLinkClient({
      origins: [new URL(registryUrl).origin, ...config.linkOrigins],
      timeoutMs: config.registryTimeoutMs,
      maxBytes: maxLinkBytes,
      concurrency: config.registryConcurrency,
    });
    const pdfText = new PdfTextReader();
    closers.push(() => Promise.all([links.close(), pdfText.close()]));
    const graph = buildGraph({ scopes: config.schemaScopes });
    const services = {
      config,
      graph,
      limiter: new OperationLimiter(graph, config.limits),
      client,
      replay: { store, calls },
      operations: new OperationBudgets(),
      links,
      pdfText,
      metrics,
      errorReference: new ErrorReference(config.docsUrl),
      log,
      ledger: data?.ledger ?? null,
      ledgerServices,
      knownAccounts: new KnownAccounts((caller) => checkAccount(client, caller)),
      now,
    };
    const batches = data === null ? null : startBatches(services, data, serviceUrl);
    closers.push(() => batches?.stop());
    const app = await createApp({ ...services, batches });
    closers.push(() => app.stop());
    const url = await listen(app, config);
    return { url, sandbox, token: sandbox === null ? null : SANDBOX_TOKEN, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function embeddedSandbox({ sandboxAuthorities, identityPath }: Config, clock: () => Date): Promise<Sandbox> {
  // Loaded only where it is wanted: with the real service it would be memory and time for nothing.
  const [{ startSandbox }, { readAuthorities }] = await Promise.all([
    import('../sandbox/service.js'),
    import('../sandbox/efirma/verify-signature.js'),
  ]);
  try {
    readAuthorities(sandboxAuthorities);
  } catch (error) {
    throw new ConfigError([`SANDBOX_AUTHORITIES: ${error instanceof Error ? error.message : 'unreadable.'}`]);
  }
  const paths = identityPath === null ? {} : { identityPath };
  return startSandbox({ clock, authorities: sandboxAuthorities, ...paths });
}

async function listen({ http }: App, { host, port }: Config): Promise<string> {
  const url = await http.listen({ host, port });
  return `${url}/graphql`;
}
