import { registerBatchMetrics } from '../src/extensions/batch/server/batch-metrics';
import type { MetricDefinition } from '../src/server/telemetry/metrics';
import { Metrics } from '../src/server/telemetry/metrics';

const labelValues: Readonly<Record<string, string>> = {
  action: '`rejected`, `logged` (with `TRUSTED_DOCUMENTS_MODE=log`) or `explored` (with the scope `padron_explore`).',
  code: 'A code of the [error reference](errors.md).',
  endpoint:
    'Method and path at the service, such as `POST /api/sep/grupo/obtener-cedula`. `registryEndpoints` lists all of them.',
  node_version: 'Version of Node, such as `24.1.0`.',
  outcome:
    '`FOUND`, `NOT_FOUND`, `INVALID_INPUT`, `NOT_PERMITTED`, `UNAVAILABLE` or `NOT_RUN`. Of the rows of a batch: `done`, `failed` or `unknown`.',
  reason:
    '[Reason of a pause](batch.md#when-a-batch-pauses), `caller` if the caller paused the batch. Empty if the batch is not paused.',
  registry: '`account`, `education`, `housing`, `population`, `socialSecurity`, `tax`, or one of `EXTENSIONS`.',
  result:
    '`delivered`, `retried` if the event is sent again, or `failed` if only `resendRegistryEvent` sends it again.',
  scope: '`all`: the registry is paused for all accounts. `account`: it is paused for some accounts.',
  served_from:
    '`LIVE`: by a call. `REPLAY`: by an earlier call. `KEPT`: by an answer that the operation keeps. `SANDBOX`: by a call in sandbox mode. `NOT_SENT`: no call was sent.',
  state: '`PRICING`, `RUNNING` or `PAUSED`.',
  status: 'HTTP status, or `left` if the client disconnected before the response.',
  type: 'Type of an [event](events.md), such as `batch.done`.',
  version: 'Version of padron, such as `0.1.0`.',
};

const introduction = `# Metrics

\`/metrics\` is for Prometheus. It is on the port of the graph and has no authentication: block it at your edge. Labels never contain data of a
person, a token or a document. A metric with labels has values after its first event.

\`npm run print:metrics\` writes this page from the code. [Alert rules and a dashboard](../deploy/README.md#metrics) use these metrics.
`;

const processMetrics = `## Process and Node

The metrics of prom-client for any process of Node, \`process_*\` and \`nodejs_*\`. Watch \`process_resident_memory_bytes\`,
\`process_cpu_seconds_total\` and \`nodejs_eventloop_lag_p99_seconds\`.
`;

interface Section {
  readonly title: string;
  readonly definitions: readonly MetricDefinition[];
}

export function metricsPage(): string {
  const sections = readSections();
  const labels = new Set(sections.flatMap(({ definitions }) => definitions).flatMap((definition) => definition.labels));
  return [
    introduction,
    ...sections.map(({ title, definitions }) => `## ${title}\n\n${tableOf(definitions)}\n`),
    `## Labels\n\n${labelTable([...labels].sort())}\n`,
    processMetrics,
  ].join('\n');
}

/** Registers the metrics step by step, as padron does with the settings that the titles name. */
function readSections(): readonly Section[] {
  const metrics = new Metrics(unread);
  const sections: Section[] = [];
  const add = (title: string): void => {
    const listed = new Set(sections.flatMap(({ definitions }) => definitions.map(({ name }) => name)));
    const added = metrics.definitions().filter(({ name }) => !listed.has(name));
    sections.push({ title, definitions: added.filter(isOwn) });
  };
  add('Always');
  metrics.watchLedger(unread);
  add('With a ledger');
  registerBatchMetrics(metrics.registry);
  add('With a store for batches');
  metrics.setProcesses(1);
  add('With `DATABASE_URL`');
  return sections;
}

/** Stands for the state of the process, which is read with the values of the metrics. */
function unread(): never {
  throw new Error('This page has no values.');
}

function tableOf(definitions: readonly MetricDefinition[]): string {
  const rows = definitions.map(
    ({ name, type, labels, help }) =>
      `| \`${name}\` | ${type} | ${labels.map(inCode).join(', ')} | ${sentence(help)} |`,
  );
  return ['| metric | type | labels | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function labelTable(labels: readonly string[]): string {
  const rows = labels.map((label) => {
    const values = labelValues[label];
    if (values === undefined) throw new Error(`The label ${label} needs a description in ${__filename}.`);
    return `| \`${label}\` | ${values} |`;
  });
  return ['| label | values |', '|---|---|', ...rows].join('\n');
}

const isOwn = ({ name }: MetricDefinition): boolean => name.startsWith('padron_');
const inCode = (label: string): string => `\`${label}\``;

/** Returns a help text as a sentence, with the names of settings and metrics as code. */
function sentence(help: string): string {
  const text = help.replaceAll(/\b(?:[A-Z]+(?:_[A-Z]+)+|padron_\w+)\b/g, inCode);
  return text.endsWith('.') ? text : `${text}.`;
}
