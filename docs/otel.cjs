// Exports padron's spans by OTLP. Load it before padron: node --require ./docs/otel.cjs dist/main.js
// The standard OTEL_* variables say where to: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER, …
const defaults = {
  OTEL_SERVICE_NAME: 'padron',
  OTEL_METRICS_EXPORTER: 'none', // /metrics has them
  OTEL_LOGS_EXPORTER: 'none', // standard output has them
  OTEL_PROPAGATORS: 'tracecontext', // without baggage, which would pass callers' data on to the registry service
  OTEL_NODE_RESOURCE_DETECTORS: 'env,host', // without the process's command line
};
for (const [name, value] of Object.entries(defaults)) process.env[name] ??= value;

const { NodeSDK } = require('@opentelemetry/sdk-node');
const { UndiciInstrumentation } = require('@opentelemetry/instrumentation-undici');

// Paths and queries of outgoing requests contain identifiers (NSS, CURP) and signed links.
// padron's own span around each request has the name of the endpoint.
const redactUrl = ({ origin }) => ({ 'url.full': origin, 'url.path': '', 'url.query': '' });

new NodeSDK({ instrumentations: [new UndiciInstrumentation({ startSpanHook: redactUrl })] }).start();
