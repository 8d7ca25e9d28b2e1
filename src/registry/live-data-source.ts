import DataLoader from 'dataloader';
import type { Answer, Outcome } from './answer/answer';
import type { CallLedger } from './call-ledger';
import { type RegistryClient, type RequestScope, requireBearer } from './client/client';
import { notPermitted } from './client/not-run';
import { inLookupSpan } from './client/tracing';
import type { RegistryDataSource } from './data-source';
import { type AnyEndpoint, cacheKey, type Endpoint } from './endpoint/endpoint';
import type { Query } from './query';
import { QuestionRunner } from './question-runner';
import { asReplay, type ReplayCache } from './replay/replay-cache';
import type { FieldPath, UnitMeter } from './unit-meter';

/** The answer stands in it as a promise: DataLoader forgets keys whose batch fails, but a failure is shared like any answer. */
type EndpointLoader = DataLoader<Query, Promise<Answer<unknown>>, string>;

/** The registries as one GraphQL request asks them: each question once, within its budget, and never what was just answered. */
export class LiveDataSource implements RegistryDataSource {
  readonly isDryRun = false;
  readonly sandbox: boolean;
  private readonly loaders = new Map<AnyEndpoint, EndpointLoader>();
  /** Answers whose cost a field has reported. */
  private readonly attributed = new Set<Answer<unknown>>();
  private readonly runner: QuestionRunner;

  constructor(
    private readonly client: RegistryClient,
    replay: ReplayCache,
    private readonly scope: RequestScope,
    readonly units: UnitMeter,
    ledger: CallLedger | null = null,
  ) {
    this.sandbox = scope.caller.sandbox;
    this.runner = new QuestionRunner(client, replay, scope, units, ledger);
  }

  address(endpoint: AnyEndpoint): string {
    return this.client.address(endpoint);
  }

  fetch<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    if (!this.isPermitted(endpoint)) return Promise.resolve(this.forbidden(endpoint));
    const input = endpoint.toWire(question);
    const query = { question, input, cacheKey: cacheKey(endpoint, question, input), path };
    const answer: Promise<unknown> = this.loader(endpoint).load(query);
    return answer as Promise<Answer<Payload>>;
  }

  async findPaid<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
  ): Promise<Answer<Payload> | undefined> {
    if (!this.isPermitted(endpoint) || this.scope.caller.bearer === null) return undefined;
    const input = endpoint.toWire(question);
    const query = { question, input, cacheKey: cacheKey(endpoint, question, input), path: null };
    const answer: Answer<unknown> | undefined = await this.runner.findPaid(endpoint, query);
    return answer as Answer<Payload> | undefined;
  }

  async fetchUncached<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    if (!this.isPermitted(endpoint)) return this.forbidden(endpoint);
    return inLookupSpan(this.address(endpoint), () => this.runner.fetchUncached(endpoint, question, path));
  }

  refuse(endpoint: AnyEndpoint): Answer<never> | null {
    requireBearer(this.scope.caller);
    return this.isPermitted(endpoint) ? null : this.forbidden(endpoint);
  }

  recordRejection(outcome: Outcome): void {
    this.units.recordRejection(outcome);
  }

  attributeCost<Payload>(endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload> {
    if (!this.attributed.has(answer)) {
      this.attributed.add(answer);
      return answer;
    }
    this.units.recordSaving(this.priceOf(endpoint), answer);
    return asReplay(answer);
  }

  /** Whoever asks the same of an endpoint shares one answer. No endpoint takes several questions in a call, so none waits. */
  private loader(endpoint: AnyEndpoint): EndpointLoader {
    const existing = this.loaders.get(endpoint);
    if (existing !== undefined) return existing;
    const loader: EndpointLoader = new DataLoader(
      async (queries) =>
        queries.map((query) => inLookupSpan(this.address(endpoint), () => this.runner.fetch(endpoint, query))),
      // Each question is sent as soon as its resolver has ended. The default waits for other work of the process first.
      { batch: false, cacheKeyFn: ({ cacheKey }) => cacheKey, batchScheduleFn: queueMicrotask },
    );
    this.loaders.set(endpoint, loader);
    return loader;
  }

  /** Where this server holds the token, it also judges who may use it for what. */
  private isPermitted({ scope }: AnyEndpoint): boolean {
    const { bearer, permissions } = this.scope.caller;
    return bearer === null || permissions === null || permissions.has(scope);
  }

  private forbidden(endpoint: AnyEndpoint): Answer<never> {
    this.units.recordRejection('NOT_PERMITTED');
    return notPermitted(this.address(endpoint), endpoint);
  }

  private priceOf(endpoint: AnyEndpoint): number {
    return this.sandbox ? 0 : endpoint.units;
  }
}
