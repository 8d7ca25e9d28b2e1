import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../../identifiers/version';
import type { UnitObserver } from '../../money/calls/units/unit-meter';
import type { ClientState } from '../../registry/client/client';

/** Buckets of durations, in seconds. Registries of this kind take up to half a minute. */
const buckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];

/** Metrics of requests and calls. Labels are endpoints and codes, and never contain data of a person, a token or a document. */
export class Metrics implements UnitObserver {
  /** Extensions register their own metrics here. */
  readonly registry = new Registry();
  private readonly answers = this.counter(
    'padron_registry_answers_total',
    'Answered questions, by outcome and source of the answer',
    'endpoint',
    'outcome',
    'served_from',
  );
  private readonly problems = this.counter(
    'padron_registry_problems_total',
    'Problems of questions that led to a call, by code',
    'endpoint',
    'code',
  );
  private readonly spent = this.counter(
    'padron_units_spent_total',
    'Units spent by requests. Units of batches are in padron_batch_units_spent_total',
    'endpoint',
  );
  private readonly uncertain = this.counter(
    'padron_units_uncertain_total',
    'Price of calls of requests that may have been charged',
    'endpoint',
  );
  private readonly savings = this.counter('padron_units_saved_total', 'Units saved by reused answers', 'endpoint');
  private readonly rejections = this.counter(
    'padron_questions_refused_total',
    'Questions for which padron sent no call, by outcome',
    'outcome',
  );
  private readonly events = this.counter(
    'padron_events_total',
    'Attempts to deliver an event to WEBHOOK_URL, by type and result: delivered, retried, or failed for good',
    'type',
    'result',
  );
  private readonly lostEntries = this.counter(
    'padron_ledger_entries_lost_total',
    'Closings of calls that the store rejected, or that memory had no room for. Their entries stay uncertain',
  );
  private readonly unkeptAnswers = this.counter(
    'padron_answers_not_kept_total',
    'Paid answers that requests wanted to keep for later ones, and that are not kept: the quota of the account is used up, or the person was erased',
  );
  private readonly olderStores = this.counter(
    'padron_ledger_store_older_total',
    'Times that the store turned out to be older than this process remembers: a copy took its place, or a standby that lacked the last commits',
  );
  private readonly errors = this.counter('padron_errors_total', 'GraphQL errors, by code', 'code');
  private readonly untrusted = this.counter(
    'padron_untrusted_operations_total',
    'Operations that are not trusted documents, by action',
    'action',
  );
  private readonly latency = this.histogram(
    'padron_registry_call_seconds',
    'Duration of calls to the service, including the time in the queue',
    'endpoint',
  );
  private readonly requests = this.histogram('padron_request_seconds', 'Duration of GraphQL requests', 'status');

  private processes: Gauge | null = null;

  /** `state` is called each time the metrics are read. */
  constructor(state: () => ClientState) {
    collectDefaultMetrics({ register: this.registry });
    registerBuildInfo(this.registry);
    this.gauge('padron_registry_calls_running', 'Running calls to the service', () => state().running);
    this.gauge('padron_registry_calls_waiting', 'Calls that wait for REGISTRY_CONCURRENCY', () => state().waiting);
    const paused = new Gauge({
      name: 'padron_registry_paused',
      help: 'Registries that keep failing and are paused: 1 for all accounts, otherwise the number of accounts',
      labelNames: ['registry', 'scope'],
      registers: [this.registry],
      collect: () => {
        paused.reset();
        for (const { registry, accounts } of state().paused) {
          paused.set({ registry, scope: accounts === null ? 'all' : 'account' }, accounts ?? 1);
        }
      },
    });
  }

  recordCall: UnitObserver['recordCall'] = (call, uncertain) => {
    const { endpoint, units, servedFrom, ms } = call;
    this.recordReplay(call);
    if (units > 0) this.spent.inc({ endpoint }, units);
    if (uncertain > 0) this.uncertain.inc({ endpoint }, uncertain);
    if (servedFrom !== 'NOT_SENT') this.latency.observe({ endpoint }, ms / 1_000);
  };

  recordReplay: UnitObserver['recordReplay'] = ({ endpoint, outcome, servedFrom }) =>
    this.answers.inc({ endpoint, outcome, served_from: servedFrom });

  recordProblem: UnitObserver['recordProblem'] = (endpoint, code) => this.problems.inc({ endpoint, code });

  recordSaving: UnitObserver['recordSaving'] = (endpoint, units) => this.savings.inc({ endpoint }, units);

  recordRejection: UnitObserver['recordRejection'] = (outcome) => this.rejections.inc({ outcome });

  recordLost: UnitObserver['recordLost'] = (endpoint, units) => this.uncertain.inc({ endpoint }, units);

  /** Adds the metrics of the ledger. `state` is called each time the metrics are read. */
  watchLedger(state: () => { readonly waiting: number; readonly isStoreUnavailable: boolean }): void {
    this.gauge(
      'padron_ledger_entries_waiting',
      'Closings of calls of this process that are not in the store yet',
      () => state().waiting,
    );
    this.gauge(
      'padron_ledger_store_away',
      '1 while the store of the ledger is unavailable or its disk is full, otherwise 0. No paid call is sent meanwhile',
      () => Number(state().isStoreUnavailable),
    );
  }

  setProcesses(count: number): void {
    this.processes ??= new Gauge({
      name: 'padron_processes',
      help: 'Live processes that share DATABASE_URL: they share answers, budgets and REGISTRY_CONCURRENCY',
      registers: [this.registry],
    });
    this.processes.set(count);
  }

  recordEvent(type: string, result: 'delivered' | 'retried' | 'failed'): void {
    this.events.inc({ type, result });
  }

  recordLostEntries(count: number): void {
    this.lostEntries.inc(count);
  }

  recordUnkeptAnswers(count: number): void {
    this.unkeptAnswers.inc(count);
  }

  recordOlderStore(): void {
    this.olderStores.inc();
  }

  recordError(code: string): void {
    this.errors.inc({ code });
  }

  recordUntrusted(action: 'rejected' | 'logged' | 'explored'): void {
    this.untrusted.inc({ action });
  }

  /** Records a request. `status` is null if the client disconnected before the response. */
  recordRequest(status: number | null, ms: number): void {
    this.requests.observe({ status: status ?? 'left' }, ms / 1_000);
  }

  definitions(): readonly MetricDefinition[] {
    return definitionsOf(this.registry);
  }

  addRoute(app: FastifyInstance): void {
    app.get('/metrics', async (_request, reply) => {
      reply.type(this.registry.contentType);
      return this.registry.metrics();
    });
  }

  private counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private histogram<Label extends string>(name: string, help: string, label: Label): Histogram<Label> {
    return new Histogram({ name, help, labelNames: [label], buckets, registers: [this.registry] });
  }

  private gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.registry], collect: () => gauge.set(read()) });
  }
}

function registerBuildInfo(registry: Registry): void {
  const gauge = new Gauge({
    name: 'padron_build_info',
    help: 'Always 1. The labels are the version of padron and the version of Node',
    labelNames: ['version', 'node_version'],
    registers: [registry],
  });
  gauge.set({ version, node_version: process.versions.node }, 1);
}

export interface MetricDefinition {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly help: string;
}

/** Returns the definitions of all metrics of a registry, in the order of their registration. */
function definitionsOf(registry: Registry): readonly MetricDefinition[] {
  return registry.getMetricsAsArray().map((metric) => {
    // prom-client keeps the labels, but its types do not have them.
    const { labelNames } = metric as typeof metric & { readonly labelNames: readonly string[] };
    return { name: metric.name, type: String(metric.type), labels: labelNames, help: metric.help };
  });
}
