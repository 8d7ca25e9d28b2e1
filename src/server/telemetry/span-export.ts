import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { isSpanContextValid } from '@opentelemetry/api';
import type { buildConnector } from 'undici';
import { ConfigError, setMissingVariables } from '../../config/config';
import type { Environment } from '../../config/settings';
import { padronTracer } from '../../registry/client/tracing';
import { connectorOf, findProxy, type Proxies } from '../../registry/transport/proxies';
import type { Logger } from './logger';

/** The SDK, which most installations do not need and which takes half as much space as padron. The versions are those of test/tracing. */
const packages = { sdk: '@opentelemetry/sdk-node', undici: '@opentelemetry/instrumentation-undici' };
const installCommand = `npm install ${packages.sdk}@0.223.0 ${packages.undici}@0.33.0`;

const defaults = {
  OTEL_SERVICE_NAME: 'padron',
  // /metrics and standard output have metrics and logs.
  OTEL_METRICS_EXPORTER: 'none',
  OTEL_LOGS_EXPORTER: 'none',
  // Baggage would pass callers' data on to the registry service.
  OTEL_PROPAGATORS: 'tracecontext',
  // Other detectors export the command line of the process.
  OTEL_NODE_RESOURCE_DETECTORS: 'env,host',
};

/** Maximum time to deliver the last spans when the process stops. */
const maxFlushMs = 2_000;
const connectMs = 10_000;

interface Sdk {
  start(): void;
  shutdown(): Promise<void>;
}

export interface SpanExport {
  stop(): Promise<void>;
}

const nothing: SpanExport = { stop: async () => undefined };

/**
 * Exports spans by OTLP if OTEL_EXPORTER_OTLP_ENDPOINT is set. The other standard variables of OpenTelemetry apply too. If the packages are
 * not installed, logs how to install them. An SDK that the operator has loaded before padron stays the only one.
 */
export function startSpanExport(environment: Environment, proxies: Proxies, log: Logger): SpanExport {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = environment;
  const endpoint = traces || all;
  if (!endpoint || isSdkLoaded()) return nothing;
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw new ConfigError(['OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://127.0.0.1:4318.']);
  setMissingVariables(defaults);
  const sdk = createSdk((load) => createExporter(load, new URL(endpoint), proxies, environment));
  if (sdk === null) {
    log.spanExportMissing(installCommand);
    return nothing;
  }
  sdk.start();
  return {
    stop: () => Promise.race([sdk.shutdown().catch(() => undefined), wait(maxFlushMs, undefined, { ref: false })]),
  };
}

/** Without an SDK, spans have no trace ID. */
function isSdkLoaded(): boolean {
  return isSpanContextValid(padronTracer().startSpan('probe').spanContext());
}

/** Returns the SDK with the instrumentation of undici, or null if a package is missing. */
function createSdk(exporter: (load: NodeJS.Require) => object | undefined): Sdk | null {
  const load = createRequire(__filename);
  try {
    const { NodeSDK } = load(packages.sdk);
    const { UndiciInstrumentation } = load(packages.undici);
    const instrumentations = [new UndiciInstrumentation({ startSpanHook: hideUrl })];
    return new NodeSDK({ instrumentations, traceExporter: exporter(createRequire(load.resolve(packages.sdk))) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    return null;
  }
}

/** Returns an exporter that uses the proxy of the endpoint. Undefined without a proxy, and if the variables of the SDK choose another exporter. */
function createExporter(
  load: NodeJS.Require,
  endpoint: URL,
  proxies: Proxies,
  environment: Environment,
): object | undefined {
  const proxy = findProxy(proxies, endpoint);
  if (proxy === null || (environment.OTEL_TRACES_EXPORTER || 'otlp') !== 'otlp') return undefined;
  const form = environment.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || environment.OTEL_EXPORTER_OTLP_PROTOCOL;
  // The library of gRPC opens its own tunnel.
  if (form === 'grpc') return void setMissingVariables({ grpc_proxy: proxy.href });
  const { OTLPTraceExporter } = load(`@opentelemetry/exporter-trace-otlp-${form === 'http/json' ? 'http' : 'proto'}`);
  const { protocol, hostname, host, port } = endpoint;
  const connect = connectorOf(proxies, connectMs);
  const createConnection = (_: object, callback: buildConnector.Callback): void =>
    connect({ protocol, hostname, host, port }, callback);
  const agent = new (protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true });
  return new OTLPTraceExporter({ httpAgentOptions: () => Object.assign(agent, { createConnection }) });
}

/** Paths and queries of outgoing requests contain identifiers and signed links. padron's span around each request names the endpoint. */
const hideUrl = ({ origin }: { readonly origin: string }) => ({ 'url.full': origin, 'url.path': '', 'url.query': '' });
