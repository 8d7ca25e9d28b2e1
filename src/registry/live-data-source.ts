import DataLoader from 'dataloader';
import { type Answer, notAsked, type Outcome } from './answer/answer';
import { problem } from './answer/problem';
import type { CallLedger, LedgerCall } from './call-ledger';
import { type RegistryClient, type RequestScope, requireBearer } from './client/client';
import type { RegistryDataSource } from './data-source';
import { type AnyEndpoint, cacheKey, type Endpoint, type WireInput } from './endpoint/endpoint';
import { enterCall, enterShared } from './ledgered-call';
import { WaitingRequest } from './replay/in-flight-call';
import { asReplay, type ReplayCache } from './replay/replay-cache';
import type { FieldPath, UnitMeter } from './unit-meter';

/** In a microtask, by a promise: `queueMicrotask` makes an object of each task for those who trace. */
const settled = Promise.resolve();
const runSoon = (task: () => void): void => void settled.then(task);

/** A question as it travels. */
interface Query {
  readonly question: unknown;
  readonly input: WireInput;
  readonly cacheKey: string;
  /** The field that asks first; whoever asks the same later shares the call. */
  readonly path: FieldPath | null;
}

/** The answer stands in it as a promise: DataLoader forgets keys whose batch fails, but a failure is shared like any answer. */
type EndpointLoader = DataLoader<Query, Promise<Answer<unknown>>, string>;

/** The registries as one GraphQL request asks them: each question once, within its budget, and never what was just answered. */
export class LiveDataSource implements RegistryDataSource {
  readonly isDryRun = false;
  readonly sandbox: boolean;
  private readonly loaders = new Map<AnyEndpoint, EndpointLoader>();
  /** Answers whose cost a field has reported. */
  private readonly attributed = new Set<Answer<unknown>>();
  private readonly cachePartition: string;
  private readonly waiting: WaitingRequest;

  constructor(
    private readonly client: RegistryClient,
    private readonly replay: ReplayCache,
    private readonly scope: RequestScope,
    readonly units: UnitMeter,
    private readonly ledger: CallLedger | null = null,
  ) {
    const { account, sandbox } = scope.caller;
    this.waiting = new WaitingRequest(scope.signal);
    this.sandbox = sandbox;
    this.cachePartition = `${account} ${sandbox ? 'sandbox' : 'live'}`;
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

  async fetchUncached<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    if (!this.isPermitted(endpoint)) return this.forbidden(endpoint);
    if (!this.units.reserve(this.priceOf(endpoint))) return this.overBudget(endpoint);
    const call = enterCall(this.ledger, this.ledgerCall(endpoint, question), () =>
      this.client.fetch(endpoint, question, this.scope),
    );
    return this.settle(endpoint, call, path);
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
      async (queries) => queries.map((query) => this.fetchOnce(endpoint, query)),
      // A microtask: each question leaves as soon as the resolver that asks it has ended.
      { batch: false, cacheKeyFn: ({ cacheKey }) => cacheKey, batchScheduleFn: runSoon },
    );
    this.loaders.set(endpoint, loader);
    return loader;
  }

  /** A distinct question of the request: replay, budget, call. */
  private async fetchOnce(endpoint: AnyEndpoint, { question, input, cacheKey, path }: Query): Promise<Answer<unknown>> {
    const { client, replay, scope, units, waiting } = this;
    const key = `${this.cachePartition} ${endpoint.name} ${cacheKey}`;
    const price = this.priceOf(endpoint);
    if (scope.caller.bearer === null) return client.fetch(endpoint, question, scope);

    const started = performance.now();
    for (let shared = replay.get(key, waiting); shared !== undefined; shared = replay.get(key, waiting)) {
      const answer = await shared;
      if (answer !== null) return this.asReplay(endpoint, question, answer, performance.now() - started, path);
    }

    // From here to the call nothing may wait: another request would not find the call, and pay for one of its own.
    if (!units.reserve(price)) return this.overBudget(endpoint);

    const answer = replay.run(key, endpoint, waiting, (call) =>
      enterCall(this.ledger, this.ledgerCall(endpoint, question), () =>
        client.fetch(endpoint, question, scope, input, call),
      ),
    );
    return await this.settle(endpoint, answer, path);
  }

  private asReplay(
    endpoint: AnyEndpoint,
    question: unknown,
    original: Answer<unknown>,
    ms: number,
    path: FieldPath | null,
  ): Answer<unknown> {
    const shared = asReplay(original);
    const answer = enterShared(this.ledger, this.ledgerCall(endpoint, question), shared);
    this.units.recordReplay(this.priceOf(endpoint), answer, ms, path);
    return answer;
  }

  /** Books what a call for which units were reserved has really cost. */
  private async settle<Payload>(
    endpoint: AnyEndpoint,
    call: Promise<Answer<Payload>>,
    path: FieldPath | null,
  ): Promise<Answer<Payload>> {
    const price = this.priceOf(endpoint);
    const started = performance.now();
    const answer = await call.catch((error: unknown) => {
      this.units.recordUnauthenticated(price, this.address(endpoint), performance.now() - started, path);
      throw error;
    });
    this.units.settle(price, answer, performance.now() - started, path);
    return answer;
  }

  /** Where this server holds the token, it also judges who may use it for what. */
  private isPermitted({ scope }: AnyEndpoint): boolean {
    const { bearer, permissions } = this.scope.caller;
    return bearer === null || permissions === null || permissions.has(scope);
  }

  private forbidden(endpoint: AnyEndpoint): Answer<never> {
    this.units.recordRejection('NOT_PERMITTED');
    const message = `The caller lacks the permission \`${endpoint.scope}\`.`;
    const spanish = `A quien pregunta le falta el permiso \`${endpoint.scope}\`.`;
    return notAsked('NOT_PERMITTED', this.address(endpoint), [problem('MISSING_PERMISSION', { message, spanish })]);
  }

  private overBudget(endpoint: AnyEndpoint): Answer<never> {
    this.units.recordRejection('NOT_RUN');
    return notAsked('NOT_RUN', this.address(endpoint), [problem('UNIT_BUDGET_EXCEEDED')]);
  }

  private ledgerCall(endpoint: AnyEndpoint, question: unknown): LedgerCall {
    return { endpoint, address: this.address(endpoint), question, price: this.priceOf(endpoint) };
  }

  private priceOf(endpoint: AnyEndpoint): number {
    return this.sandbox ? 0 : endpoint.units;
  }
}
