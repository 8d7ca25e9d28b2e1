import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { isSpanContextValid } from '@opentelemetry/api';
import { ConfigError, setMissingVariables } from '../../config/config';
import type { Environment } from '../../config/settings';
import { padronTracer } from '../../registry/client/tracing';
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
export function startSpanExport(environment: Environment, log: Logger): SpanExport {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = environment;
  const endpoint = traces || all;
  if (!endpoint || isSdkLoaded()) return nothing;
  if (!/^https?:\/\//.test(endpoint))
    throw new ConfigError(['OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://127.0.0.1:4318.']);
  setMissingVariables(defaults);
  const sdk = createSdk();
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
function createSdk(): Sdk | null {
  const load = createRequire(__filename);
  try {
    const { NodeSDK } = load(packages.sdk);
    const { UndiciInstrumentation } = load(packages.undici);
    return new NodeSDK({ instrumentations: [new UndiciInstrumentation({ startSpanHook: hideUrl })] });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    return null;
  }
}

/** Paths and queries of outgoing requests contain identifiers and signed links. padron's span around each request names the endpoint. */
const hideUrl = ({ origin }: { readonly origin: string }) => ({ 'url.full': origin, 'url.path': '', 'url.query': '' });
