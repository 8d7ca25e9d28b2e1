import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ClientState } from '../registry/client';
import type { UnitObserver } from '../registry/units';
import { DurationHistogram } from './durations';

/** A sum for each value of a label. Kept here until the figures are read: prom-client checks and hashes labels at each step. */
type Tally = Map<string, number>;

/** Figures for the people who run padron. Labels are endpoints and codes of ours: nothing of a person, a token or a document. */
export class Metrics implements UnitObserver {
  private readonly registry = new Registry();
  /** Questions answered, by endpoint, outcome and where from. */
  private readonly answers = new Map<string, Map<string, Tally>>();
  private readonly spent: Tally = new Map();
  private readonly uncertain: Tally = new Map();
  private readonly savings: Tally = new Map();
  private readonly refusals: Tally = new Map();
  private readonly errors: Tally = new Map();
  private readonly latency = new DurationHistogram(
    'padron_registry_call_seconds',
    'Time of calls to the service, queueing included',
    'endpoint',
    this.registry,
  );
  private readonly requests = new DurationHistogram(
    'padron_request_seconds',
    'Time of GraphQL requests',
    'status',
    this.registry,
  );

  /** `state` is read when the figures are. */
  constructor(state: () => ClientState) {
    collectDefaultMetrics({ register: this.registry });
    this.countAnswers();
    this.count('padron_units_spent_total', 'Units spent', 'endpoint', this.spent);
    this.count('padron_units_uncertain_total', 'Price of calls whose billing is unknown', 'endpoint', this.uncertain);
    this.count('padron_units_saved_total', 'Units that repeats would have cost', 'endpoint', this.savings);
    this.count('padron_questions_refused_total', 'Questions not put, by outcome', 'outcome', this.refusals);
    this.count('padron_errors_total', 'GraphQL errors, by code', 'code', this.errors);
    this.gauge('padron_registry_calls_running', 'Calls under way', () => state().running);
    this.gauge('padron_registry_calls_waiting', 'Calls that wait for their turn', () => state().waiting);
    const paused = new Gauge({
      name: 'padron_registry_paused',
      help: '1 for a registry that keeps failing and is left alone',
      labelNames: ['registry'],
      registers: [this.registry],
      collect: () => {
        paused.reset();
        for (const registry of state().openCircuits) paused.set({ registry }, 1);
      },
    });
  }

  called: UnitObserver['called'] = (call, uncertain) => {
    const { endpoint, units, servedFrom, ms } = call;
    this.replayed(call);
    if (units > 0) add(this.spent, endpoint, units);
    if (uncertain > 0) add(this.uncertain, endpoint, uncertain);
    if (servedFrom !== 'NOT_SENT') this.latency.observe(endpoint, ms / 1_000);
  };

  replayed: UnitObserver['replayed'] = ({ endpoint, outcome, servedFrom }) => {
    const ofEndpoint = this.answers.get(endpoint) ?? begin(this.answers, endpoint, new Map<string, Tally>());
    add(ofEndpoint.get(outcome) ?? begin(ofEndpoint, outcome, new Map()), servedFrom, 1);
  };

  saved: UnitObserver['saved'] = (endpoint, units) => add(this.savings, endpoint, units);

  refused: UnitObserver['refused'] = (outcome) => add(this.refusals, outcome, 1);

  failed(code: string): void {
    add(this.errors, code, 1);
  }

  /** `status` is null where the client had left. */
  answered(status: number | null, ms: number): void {
    this.requests.observe(status === null ? 'left' : String(status), ms / 1_000);
  }

  serve(app: FastifyInstance): void {
    app.get('/metrics', async (_request, reply) => {
      reply.type(this.registry.contentType);
      return this.registry.metrics();
    });
  }

  private countAnswers(): void {
    const counter: Counter = new Counter({
      name: 'padron_registry_answers_total',
      help: 'Questions answered, by where from',
      labelNames: ['endpoint', 'outcome', 'served_from'],
      registers: [this.registry],
      collect: () => {
        counter.reset();
        for (const [endpoint, outcomes] of this.answers)
          for (const [outcome, tally] of outcomes)
            for (const [served_from, sum] of tally) counter.inc({ endpoint, outcome, served_from }, sum);
      },
    });
  }

  private count(name: string, help: string, label: string, tally: Tally): void {
    const counter: Counter = new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect: () => {
        counter.reset();
        for (const [value, sum] of tally) counter.inc({ [label]: value }, sum);
      },
    });
  }

  private gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.registry], collect: () => gauge.set(read()) });
  }
}

function add(tally: Tally, value: string, amount: number): void {
  tally.set(value, (tally.get(value) ?? 0) + amount);
}

function begin<Value>(map: Map<string, Value>, key: string, value: Value): Value {
  map.set(key, value);
  return value;
}
